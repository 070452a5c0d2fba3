"""Which legacy encoding bytes are in: the one whose letters are those that its languages use most."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

#: How many bytes of lines with non-ASCII letters are looked at.
SAMPLE_BYTES: Final = 20_000
#: A guess below this score, or this near to the next one that reads differently, is called uncertain.
SURE_SCORE: Final = 0.45
SURE_MARGIN: Final = 0.05

_WESTERN: Final = "ðþäöüßéèêàâçñáíóúëïôûîåæøãœÄÖÜÉÅÆØÇÑÀÈÓÍÁ"
_WESTERN_RARE: Final = "ìòùõšžýŠŽÝÐÞÊÂÔÎÛËÏÙÒÌÕÃÚŒÿ"
_MARKS: Final = "“”‘’‚„–—…«»‹›€£§°±²³·•©®™¿¡½¼¾×÷µ\u00a0\u00ad´"
_CENTRAL: Final = "ěřčůňšžýťďąćęłńśźżőűľáéíóúöüäôŁŚŻŹĆČŠŽŘÁÉÍÓÚÖÜ"
_TURKISH: Final = "ğışİŞĞçöüÇÖÜâ"
_BALTIC: Final = "āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽąęėįųĄĘĖĮŲõäöüÕÄÖÜ"
_CYRILLIC: Final = "оеаинтсрвлкмдпу"
_CYRILLIC_RARE: Final = "яыьгзбчйхжшюцщэфъёіїєґўОЕАИНТСРВЛКМДПУЯГЗБЧЖШЮЭФ"
_GREEK: Final = "αοιετσνηυρπκμλςόίάέήώύ"
_GREEK_RARE: Final = "γδθξφχψωβζΑΟΙΕΤΣΝΗΥΡΠΚΜΛΓΔΘΞΦΧΨΩΒΖΆΈΉΊΌΎΏ"
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
    """The best encoding; not `is_sure` when another one fits nearly as well or none does."""

    encoding: str
    is_sure: bool


def _candidate(encoding: str, common: str, rare: str, in_words: str) -> Candidate:
    return Candidate(encoding, frozenset(common), frozenset(rare), in_words)


#: In order of preference when scores are equal.
_CANDIDATES: Final = (
    _candidate("cp1252", _WESTERN, _WESTERN_RARE, "mixed"),
    _candidate("cp932", _JAPANESE, _JAPANESE_RARE, "wide"),
    _candidate("euc_jp", _JAPANESE, _JAPANESE_RARE, "wide"),
    _candidate("gb18030", _SIMPLIFIED, "", "wide"),
    _candidate("big5hkscs", _TRADITIONAL, "", "wide"),
    _candidate("cp949", _KOREAN, "", "wide"),
    _candidate("cp1251", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("koi8_r", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("cp866", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("iso8859_5", _CYRILLIC, _CYRILLIC_RARE, "own"),
    _candidate("cp1253", _GREEK, _GREEK_RARE, "own"),
    _candidate("cp1255", _HEBREW, _HEBREW_RARE, "own"),
    _candidate("cp1256", _ARABIC, _ARABIC_RARE, "own"),
    _candidate("cp874", _THAI, _THAI_RARE, "own"),
    _candidate("cp1250", _CENTRAL, "", "mixed"),
    _candidate("iso8859_2", _CENTRAL, "", "mixed"),
    _candidate("cp1254", _TURKISH, "", "mixed"),
    _candidate("cp1257", _BALTIC, "", "mixed"),
    _candidate("cp850", _WESTERN, _WESTERN_RARE, "mixed"),
    _candidate("mac_roman", _WESTERN, _WESTERN_RARE, "mixed"),
)
_LINE_WITH_LETTERS: Final = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*")


def guess_legacy(content: bytes) -> Guess:
    """Return the encoding that fits bytes which are not UTF-8 best; Windows-1252 where nothing fits."""
    sample = b"\n".join(_LINE_WITH_LETTERS.findall(content))[:SAMPLE_BYTES]
    scores: list[tuple[float, str, str]] = []
    for candidate in _CANDIDATES:
        text = _decode(sample, content, candidate)
        if text is not None:
            scores.append((_score(text, candidate), candidate.encoding, text))
    best = max(scores, key=lambda entry: entry[0], default=(0.0, "cp1252", ""))
    if best[0] <= 0:
        return Guess("cp1252", is_sure=False)
    rival = max((score for score, _, text in scores if text != best[2]), default=0.0)
    return Guess(best[1], is_sure=best[0] >= SURE_SCORE and best[0] - rival >= SURE_MARGIN)


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


def _score(text: str, candidate: Candidate) -> float:
    """Return how well letters fit, at most 1: the mean over all characters that are not ASCII."""
    total, n_chars = 0.0, 0
    padded = f" {text} "
    for before, char, after in zip(padded, text, padded[2:], strict=False):
        if char >= "\x80":
            n_chars += 1
            total += _weight(before, char, after, candidate)
    mean = total / n_chars if n_chars else 0.0
    # One character in two of a Chinese or Korean text is not among the most common ones.
    score = min(1.0, 1.6 * mean) if candidate.in_words == "wide" else mean
    return score if candidate.encoding in _WIDESPREAD else 0.93 * score


#: Encodings that files without any mark are most often in.
_WIDESPREAD: Final = frozenset({"cp1252", "cp932", "gb18030", "big5hkscs", "cp949", "cp1251"})


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
        return 0.6 if char in _MARKS else -0.3
    weight = 1.0 if char in candidate.common else 0.5 if char in candidate.rare else -0.2
    return weight * _place(before, after, candidate)


def _place(before: str, after: str, candidate: Candidate) -> float:
    """Return how well a letter stands among its neighbours, from -0.5 to 1."""
    if not before.isalpha() and not after.isalpha():
        return 0.3
    if candidate.in_words == "own":
        beside_ascii = (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha())
        return -0.5 if beside_ascii else 1.0
    is_run = before.isalpha() and after.isalpha() and before >= "\x80" and after >= "\x80"
    return -0.5 if is_run else 1.0


_BROKEN: Final = re.compile("[\udc80-\udcff]+")
#: What the UTF-8 of common Western characters looks like when it is read as Windows-1252: `Ã©`, `Â°`, `â€™`.
_MISREAD: Final = re.compile("[ÃÂ][\x80-\xbf€-™]|â[€‚ƒ„…†‡ˆ‰Š‹Œ]")


def decode_western_line(line: bytes) -> str:
    r"""Return the text of a line of Windows-1252, with stretches of UTF-8 in it read as that.

    The five bytes that Windows-1252 leaves open become U+FFFD, so a reader sees that something stood there.

    >>> decode_western_line(b"5 \x80 \xc3\xa9 \x81")
    '5 € é �'
    """
    western = line.decode("cp1252", errors="replace")
    if _MISREAD.search(western) is None:
        return western
    text = line.decode("utf-8", errors="surrogateescape")
    return _BROKEN.sub(lambda found: found.group().encode("utf-8", "surrogateescape").decode("cp1252", "replace"), text)
