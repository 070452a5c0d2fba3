"""Which legacy encoding bytes are in: the one whose letters are those that its languages use most."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from pincite.text.language import guess_language

#: How many bytes of lines with non-ASCII letters are looked at.
SAMPLE_BYTES: Final = 20_000
#: A guess below this score is called uncertain.
SURE_SCORE: Final = 0.45
#: So is one that another encoding comes this near: in the score where characters have two bytes, else in the sum of
#: what speaks for one reading against the other over all bytes that the two read differently.
SURE_MARGIN: Final = 0.05
SURE_ADVANTAGE: Final = 0.5

_WESTERN: Final = "ðþäöüßéèêàâçñáíóúëïôûîåæøãœìòùÄÖÜÉÅÆØÇÑÀÈÓÍÁ"
_WESTERN_RARE: Final = "õšžýŠŽÝÐÞÊÂÔÎÛËÏÙÒÌÕÃÚŒÿ"
#: Western languages by themselves: no text has the letters of all, as Czech would when it is read as one of them.
_WESTERN_EACH: Final = (
    "äöüßÄÖÜ",  # German
    "éèêàâçîôùûëïœæÉÈÊÀÂÇÎÔÙÛËÏŒ",  # French
    "áéíóúñüÁÉÍÓÚÑÜ",  # Spanish
    "áàâãçéêíóôõúÁÀÂÃÇÉÊÍÓÔÕÚ",  # Portuguese
    "àèéìòùÀÈÉÌÒÙ",  # Italian
    "äöåéÄÖÅÉ",  # Swedish, Finnish
    "æøåéÆØÅÉ",  # Danish, Norwegian
    "áæðéíóöþúýÁÆÐÉÍÓÖÞÚÝ",  # Icelandic
)
_MARKS: Final = "“”‘’‚„–—…«»‹›€£§°±²³·•©®™¿¡½¼¾×÷µ\u00a0\u00ad´"
#: What tables and frames of old terminals are drawn with: never beside a letter.
_FRAMES: Final = "─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬░▒▓█■"
#: Each language of the middle of Europe by itself: no text has the letters of all.
_CENTRAL: Final = (
    "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ",  # Polish
    "áčďéěíňóřšťúůýžľôäÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ",  # Czech, Slovak
    "áéíóöőúüűÁÉÍÓÖŐÚÜŰ",  # Hungarian
    "čćđšžČĆĐŠŽ",  # Croatian, Slovenian
    "ăâîşţĂÂÎŞŢ",  # Romanian
)
_TURKISH: Final = "ğışİŞĞçöüÇÖÜâ"
_BALTIC: Final = "āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽąęėįųĄĘĖĮŲõäöüÕÄÖÜ"
_CYRILLIC: Final = "оеаинтсрвлкмдпу"
_CYRILLIC_RARE: Final = "яыьгзбчйхжшюцщэфъёіїєґўОЕАИНТСРВЛКМДПУЯГЗБЧЖШЮЭФ"
_GREEK: Final = "αοιετσνηυρπκμλςόίάέήώύΆΈΉΊΌΎΏ"
_GREEK_RARE: Final = "γδθξφχψωβζΑΟΙΕΤΣΝΗΥΡΠΚΜΛΓΔΘΞΦΧΨΩΒΖ"
_HEBREW: Final = "יוהלארתמבשנםעדקחפ"
_HEBREW_RARE: Final = "כגטסזצךןףץ"
_ARABIC: Final = "اليمنوتربدعةسفهكقح"
_ARABIC_RARE: Final = "جصشىأإآطخضذثزغظؤئءپچژگ"
_THAI: Final = "านรอกเงยลมทวดสตคะั่้ิีปห"
_THAI_RARE: Final = "บนพชแขไจโใถผธณษศฟซ์ุูำื"
_JAPANESE: Final = "のにはをがとでたしているあまれかなもらこすっさくりけつよ"
_JAPANESE_RARE: Final = "ンスルトアイクリラレッジシーロタマドコフメグデカテ日本人年大一国中会事月者行出分時を"
_SIMPLIFIED: Final = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事"
    "成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此"
    "已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特"
    "代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电"
    "数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白"
)
_TRADITIONAL: Final = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事"
    "成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此"
    "已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特"
)
_KOREAN: Final = "이다는을의에가하고은지사한로를기대도서인시자어스리그수나정있해부장아보라전제일들주과상으만와조"
_CJK_MARKS: Final = "。，、；：？！「」『』（）《》“”・〜　"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An encoding and the letters its languages use: `common` most of the time, `rare` now and then.

    `in_words` says how letters stand: "mixed" with ASCII letters in one word, or in words of their "own".
    """

    encoding: str
    common: frozenset[str]
    rare: frozenset[str]
    in_words: str


@dataclass(frozen=True, slots=True)
class Guess:
    """The best encoding; not `is_sure` when none fits well or `rival`, which reads something else, fits as well.

    `readings` is the first character that the two read differently, in either encoding, where they can be compared.
    """

    encoding: str
    is_sure: bool
    rival: str | None = None
    readings: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """The sample in one encoding: `weights` says of each character beyond ASCII how well it fits."""

    candidate: Candidate
    text: str
    weights: list[float]

    @property
    def score(self) -> float:
        """How well the letters fit, at most 1: the mean weight."""
        mean = sum(self.weights) / len(self.weights) if self.weights else 0.0
        # One character in two of a Chinese or Korean text is not among the most common ones.
        return min(1.0, 1.6 * mean) if self.candidate.in_words == "wide" else mean

    @property
    def prior_score(self) -> float:
        """The score, lower for encodings that few files are in."""
        return self.score if self.candidate.encoding in _WIDESPREAD else 0.93 * self.score

    @property
    def beyond_ascii(self) -> list[str]:
        """The characters that `weights` speaks of."""
        return [char for char in self.text if char >= "\x80"]


def _candidate(encoding: str, common: str, rare: str, in_words: str) -> Candidate:
    return Candidate(encoding, frozenset(common), frozenset(rare), in_words)


_OF_CENTRAL: Final = ("cp1250", "iso8859_2", "cp852")
#: In order of preference when scores are equal.
_CANDIDATES: Final = (
    *(_candidate("cp1252", own, _WESTERN + _WESTERN_RARE, "mixed") for own in _WESTERN_EACH),
    *(_candidate("iso8859_15", own, _WESTERN + _WESTERN_RARE, "mixed") for own in _WESTERN_EACH),
    _candidate("cp932", _JAPANESE, _JAPANESE_RARE, "wide"),
    _candidate("euc_jp", _JAPANESE, _JAPANESE_RARE, "wide"),
    _candidate("gb18030", _SIMPLIFIED, "", "wide"),
    _candidate("big5hkscs", _TRADITIONAL, "", "wide"),
    _candidate("cp949", _KOREAN, "", "wide"),
    _candidate("cp1251", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("koi8_r", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("koi8_u", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("cp866", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("iso8859_5", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("mac_cyrillic", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("cp1253", _GREEK, _GREEK_RARE, "own"),
    _candidate("iso8859_7", _GREEK, _GREEK_RARE, "own"),
    _candidate("cp1255", _HEBREW, _HEBREW_RARE, "own"),
    _candidate("cp1256", _ARABIC, _ARABIC_RARE, "own"),
    _candidate("iso8859_6", _ARABIC, _ARABIC_RARE, "own"),
    _candidate("cp874", _THAI, _THAI_RARE, "own"),
    *(_candidate(encoding, own, "", "mixed") for encoding in _OF_CENTRAL for own in _CENTRAL),
    _candidate("cp1254", _TURKISH, "", "mixed"),
    _candidate("cp1257", _BALTIC, "", "mixed"),
    _candidate("cp850", _WESTERN, _WESTERN_RARE, "mixed"),
    _candidate("mac_roman", _WESTERN, _WESTERN_RARE, "mixed"),
)
_LINE_WITH_LETTERS: Final = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*")


def guess_legacy(content: bytes) -> Guess:
    """Return the encoding that fits bytes which are not UTF-8 best; Windows-1252 where nothing fits."""
    sample = b"\n".join(_LINE_WITH_LETTERS.findall(content))[:SAMPLE_BYTES]
    readings = []
    for candidate in _CANDIDATES:
        text = _decode(sample, content, candidate)
        if text is not None:
            readings.append(_Reading(candidate, text, _weights(text, candidate)))
    readings.sort(key=lambda reading: -reading.prior_score)  # stable: equals stay in order of preference
    best = readings[0]
    others = [reading for reading in readings[1:] if reading.text != best.text and reading.score > 0]
    if best.score <= 0:
        return Guess("cp1252", is_sure=False)
    rival = next((other for other in others if not _beats(best, other)), None)
    is_sure = best.score >= SURE_SCORE and rival is None
    if rival is None and others and not is_sure:
        rival = others[0]
    if rival is None:
        return Guess(best.candidate.encoding, is_sure)
    pairs = zip(best.beyond_ascii, rival.beyond_ascii, strict=False)
    differing = next((pair for pair in pairs if pair[0] != pair[1]), None) if _are_aligned(best, rival) else None
    return Guess(best.candidate.encoding, is_sure, rival.candidate.encoding, differing)


def _are_aligned(one: _Reading, other: _Reading) -> bool:
    """Say whether both read each byte as one character."""
    return "wide" not in {one.candidate.in_words, other.candidate.in_words}


def _beats(best: _Reading, other: _Reading) -> bool:
    """Say whether nothing is left to be said for the other reading."""
    if not _are_aligned(best, other):
        return best.score - other.score >= SURE_MARGIN
    language = guess_language(best.text)
    own = _LETTERS_OF.get(language, frozenset())
    if best.candidate.encoding in _OF_CENTRAL and other.candidate.encoding in _OF_CENTRAL:
        # All letters tell the language, and so which of these encodings it is.
        return sum(best.weights) - sum(other.weights) >= SURE_ADVANTAGE
    # Words of another script are no accident: then that encoding would be the best one.
    is_latin = best.candidate.in_words == "mixed" and language in _LETTERS_OF
    advantage = SURE_ADVANTAGE if is_latin and other.candidate.in_words == "own" else 0.0
    pairs = zip(best.beyond_ascii, other.beyond_ascii, strict=True)
    for (char, rival), weight, rival_weight in zip(pairs, best.weights, other.weights, strict=True):
        if char != rival:
            advantage += weight - rival_weight + (char in own) - (rival in own)
    return advantage >= SURE_ADVANTAGE


#: Letters that show which language a text is in, once its small words have said so.
_LETTERS_OF: Final = {
    "en": frozenset("ï"),
    "de": frozenset("äöüÄÖÜß"),
    "fr": frozenset("àâæçéèêëîïôœùûüÀÂÇÉÈÊËÎÏÔŒÙÛ"),
    "es": frozenset("áéíñóúüÁÉÍÑÓÚÜ¿¡"),
    "ru": frozenset("ёЁ"),
}


def _decode(sample: bytes, content: bytes, candidate: Candidate) -> str | None:
    """Return the sample as text, or `None` where the encoding cannot be the one of the whole."""
    try:
        if candidate.in_words == "wide":
            # A cut sample may end inside a character; the whole file must not.
            content.decode(candidate.encoding)
            return codecs.getincrementaldecoder(candidate.encoding)().decode(sample)
        if candidate.encoding == "cp1252":
            return sample.decode("cp1252", errors="replace")
        return sample.decode(candidate.encoding)
    except UnicodeDecodeError:
        return None


def _weights(text: str, candidate: Candidate) -> list[float]:
    """Return for each character beyond ASCII how well it fits, from -1 to 1."""
    padded = f" {text} "
    return [
        _weight(before, char, after, candidate)
        for before, char, after in zip(padded, text, padded[2:], strict=False)
        if char >= "\x80"
    ]


#: Encodings that files without any mark are most often in.
_WIDESPREAD: Final = frozenset({"cp1252", "iso8859_15", "cp932", "gb18030", "big5hkscs", "cp949", "cp1251"})


def _weight(before: str, char: str, after: str, candidate: Candidate) -> float:
    if "\x80" <= char < "\xa0" or char == "\ufffd":
        return -1.0
    if candidate.in_words == "wide":
        if char in candidate.common:
            return 1.0
        return 0.5 if char in candidate.rare or char in _CJK_MARKS else 0.2 if "\u4e00" <= char <= "\u9fff" else 0.0
    if not char.isalpha():
        if before.isalpha() and after.isalpha() and char not in "’·\u00ad":
            return -1.0
        if char in _FRAMES:
            return -1.0 if before.isalpha() or after.isalpha() else 0.6
        return 0.6 if char in _MARKS else -0.3
    weight = 1.0 if char in candidate.common else 0.5 if char in candidate.rare else -0.2
    return weight * _place(before, char, after, candidate) if weight > 0 else weight


def _place(before: str, char: str, after: str, candidate: Candidate) -> float:
    """Return how well a letter stands among its neighbours, from -0.5 to 1."""
    if before.isdigit():
        return 0.0  # `1½` is no `1œ`
    is_odd_capital = char.isupper() and (before.islower() or (before.isalpha() and after.islower()))
    if is_odd_capital or before == char == after:
        return -0.5
    if not before.isalpha() and not after.isalpha():
        return 0.3
    if candidate.in_words == "own":
        beside_ascii = (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha())
        return -0.5 if beside_ascii else 1.0
    is_run = before.isalpha() and after.isalpha() and before >= "\x80" and after >= "\x80"
    return -0.5 if is_run else 1.0


#: What the UTF-8 of common characters looks like when it is read as Windows-1252: `Ã©`, `Â°`, `Ñ€`, `â€™`.
_MISREAD: Final = re.compile("[ÃÂÐÑ][\x80-\xbf€-™]|â[€‚ƒ„…†‡ˆ‰Š‹Œ]")


def holds_misread_utf8(content: bytes) -> bool:
    """Say whether bytes, read as Windows-1252, show what UTF-8 looks like there."""
    return _MISREAD.search(content.decode("cp1252", errors="replace")) is not None
