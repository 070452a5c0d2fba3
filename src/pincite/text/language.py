"""A cheap guess at the language of a text: by script, else by its most common small words."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

#: How much of a text is looked at: the start says enough.
SAMPLE_CHARS: Final = 20_000
#: Fewer small words than this share of all words, and no guess is made.
MIN_SHARE: Final = 0.06

_SMALL_WORDS: Final = {
    "en": "the of and to in is that for it was on are as with by be at from this or which not have shall".split(),
    "de": "der die das und ist nicht von mit den dem ein eine zu im auf für sich des werden wird auch bei".split(),
    "fr": "le la les des et est une un que dans pour du qui sur par pas au avec sont plus aux ce cette".split(),
    "es": "el la los las de que y en un una es por con para del se no al su como más lo está".split(),
}
_SETS: Final = {language: frozenset(small) for language, small in _SMALL_WORDS.items()}
_WORD: Final = re.compile(r"[^\W\d_]+")
_BEYOND_LATIN: Final = re.compile("[^\0-\u036f]")
#: (script as Unicode names its letters, language)
_SCRIPTS: Final = (("HIRAGANA", "ja"), ("KATAKANA", "ja"), ("HANGUL", "ko"), ("CJK", "zh"), ("CYRILLIC", "ru"),
                   ("ARABIC", "ar"), ("HEBREW", "he"), ("GREEK", "el"), ("THAI", "th"),
                   ("DEVANAGARI", "hi"))  # fmt: skip


def guess_language(text: str) -> str:
    """Return an ISO 639-1 code, or "und" where the text does not say.

    Known are English, German, French, Spanish, and by their script Japanese, Korean, Chinese, Russian, Arabic,
    Hebrew, Greek, Thai and Hindi.

    >>> guess_language("The gate of the harbour is closed at dusk and on Sundays.")
    'en'
    >>> guess_language("港の鍵は赤い箱にあります。"), guess_language("1 2 3")
    ('ja', 'und')
    """
    sample = text[:SAMPLE_CHARS]
    if not sample.isascii() and (language := _by_script(sample)) is not None:
        return language
    words = _WORD.findall(sample.lower())
    if not words:
        return "und"
    occurrences = Counter(words)
    counts = {language: sum(occurrences[word] for word in small) for language, small in _SETS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= max(2, MIN_SHARE * len(words)) else "und"


#: Words of questions, and small words that go with them.
_QUESTION_WORDS: Final = {
    "en": frozenset(
        """what which who whom whose when where why how does did do is are was were can could has have had the of
        in for to on at an and many much should may must will""".split()
    ),
    "de": frozenset(
        """was wer wen wem wessen wann wo woher wohin womit wofür wie wieviel wieviele warum weshalb wieso welche
        welcher welches welchen welchem ist sind war waren hat haben hatte wird werden wurde wurden kann darf
        muss soll gibt der die das den dem des ein eine einen einem und von vom mit für im am an auf zu zum zur
        bei nach aus kostet kosten heißt heisst steht liegt beträgt dauert nenne welch viele lange hoch groß es
        sich nicht bedeutet bedeuten beginnt endet öffnet schließt wiegt gehört gehören dürfen müssen können
        sollen gilt gelten braucht benötigt erlaubt verboten kein keine""".split()
    ),
    "fr": frozenset(
        """que quoi qui quel quelle quels quelles quand où comment combien pourquoi est sont était étaient a ont le
        la les un une des du de et dans sur pour par avec au aux il elle y ce cette coûte lieu
        signifie signifient pèse peut peuvent doit doivent ils elles faut""".split()
    ),
    "es": frozenset(
        """qué que quién cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas es son el la los las de del en
        un una y para por está están hay cuesta fue puede pueden debe deben""".split()
    ),
}


@lru_cache(maxsize=256)
def question_language(question: str) -> str:
    """Return the language of a question: "de", "fr", "es" or, where nothing says otherwise, "en".

    >>> [question_language(q) for q in ("Was kostet der Zaun?", "Was it closed?", "Combien coûte le bac ?")]
    ['de', 'en', 'fr']
    """
    words = _WORD.findall(question.lower())
    counts = {language: sum(w in known for w in words) for language, known in _QUESTION_WORDS.items()}
    if re.search("[äöüß]", question.lower()):
        counts["de"] += 1
    if "¿" in question:
        counts["es"] += 2
    best = max(counts, key=lambda language: (counts[language], language == "en"))
    return best if counts[best] else "en"


def _by_script(sample: str) -> str | None:
    """Return the language of the script that most letters belong to, if it is none of Latin."""
    counts: dict[str, int] = {}
    for char in _BEYOND_LATIN.findall(sample):
        name = unicodedata.name(char, "") if char.isalpha() else ""
        language = next((language for script, language in _SCRIPTS if name.startswith(script)), None)
        if language is not None:
            counts[language] = counts.get(language, 0) + 1
    if not counts:
        return None
    n_letters = sum(map(str.isalpha, sample))
    # Japanese mixes its own letters with Chinese ones: a tenth of kana settles it.
    if counts.get("ja", 0) >= 0.1 * (counts.get("ja", 0) + counts.get("zh", 0)) > 0:
        counts["ja"] = counts.get("ja", 0) + counts.pop("zh", 0)
    best = max(counts, key=lambda language: counts[language])
    # A Chinese letter says as much as two or three Latin ones.
    weight = 2.5 if best in {"ja", "zh", "ko"} else 1.0
    n_others = n_letters - counts[best]
    return best if counts[best] * weight > n_others else None
