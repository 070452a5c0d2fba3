"""Words after a number: which name what is measured or counted, and which only go on with the sentence."""

import re
from typing import Final

from pincite.text.characters import is_cjk
from pincite.text.stopwords import ENGLISH
from pincite.text.units import UNIT_WORDS, unit_name

#: Words after a number that are no unit, whatever their form.
_NO_UNIT: Final = frozenset(
    """and or to in on at of for from by with per the a an is are was were be has have had will until than as that
    which who after before between when where if but not no so more less times this these those its his hers ours
    yours theirs thus plus minus versus vs via always perhaps besides towards afterwards upwards downwards plus
    und oder bis von mit im am zu ist sind war wird hat haben das der die den dem des als auf für bei
    et ou est sont dans sur pour par avec au aux les des que qui""".split()
)
#: Verbs that stand after a number which is a name: "Gate 4 holds", "Contract 15 has".
_VERBS: Final = frozenset(
    """accepts adds affects agrees aims allows answers appears applies asks attaches becomes begins belongs bears brings
    builds burns buys calls carries catches causes ceases charges checks chooses closes comes confirms connects
    consists contains continues controls converts costs counts covers crosses cuts deals decides defines delivers
    demands depends describes detects determines differs directs discusses displays divides does draws drives drops
    earns eats employs enables ends enters equals establishes exceeds excludes exists expires explains explores
    extends faces fails falls feeds feels fills finds fits flies flows follows forbids forms gets gives goes governs
    grants grows guarantees handles happens heads hears helps hides hits holds hosts identifies implies imposes
    improves includes increases indicates insists introduces invites involves joins keeps kills knows lacks lasts
    lays leads learns leaves lends lets lies limits lists lives loads locates locks looks loses maintains makes
    manages marks matches matters means measures meets mentions moves needs obliges observes obtains occurs offers
    opens operates orders outlines owns passes pays performs permits places plays points prescribes presents prevents
    produces prohibits proposes protects proves provides puts raises reaches reads receives recommends reduces refers
    refuses regulates reigns relates releases relies remains removes replaces reports represents requires reserves
    resides rests results returns reveals rises rules runs says seems sees sells sends serves sets shares shows shuts
    signs sits sleeps specifies speaks spins stands starts states stays stops stores suggests supersedes supplies
    supports swims takes talks teaches tells tends terminates thinks ties touches treats tries turns understands uses
    varies visits waits walks wants warns wears weighs wins wishes works writes""".split()
)
_IRREGULAR: Final = frozenset(
    """people persons men women children feet teeth mice geese sheep fish staff personnel crew cattle aircraft
    spacecraft data criteria phenomena media bacteria alumni oxen police species series watch dozen percent
    ans mois voix""".split()
)
#: Words before a noun of measure: "square metres", "nautical miles".
_BEFORE_MEASURE: Final = frozenset(
    "square cubic nautical metric short long imperial light board fluid running calendar working business".split()
)
_SINGULAR_S: Final = re.compile(r"(?:ss|us|is|ics|ous|news)$", re.IGNORECASE)
_OTHER_ENDS: Final = re.compile(r"(?:ed|ly|ing)$|^(?:may|might|must|will|large|small|new|old)$")
_GERMAN: Final = re.compile(r"\b(?:der|das|und|ist|sind|wird|werden|für|mit|gibt|kostet|haben|wurden)\b", re.IGNORECASE)
_GERMAN_PLURAL: Final = re.compile(r"[A-ZÄÖÜ][a-zäöüß-]*(?:e|en|er|n|el|s)")
_SYMBOL: Final = re.compile(r"[^\W\d_]{1,4}/[^\W\d_]{1,4}[²³]?|[a-zµμ]{1,2}[A-Z][a-z]?|[^\W\d_]{1,3}[²³]")
_CJK_PAIRS: Final = re.compile("公斤|公里|公尺|小时|小時|分钟|分鐘|平方|千克|千米|毫米|厘米|か月|ヶ月|時間")
_WORD: Final = re.compile(r"[ \t\u00a0\u202f\u2009]?(%|‰|°[CF]?(?!\w)|[^\W\d_]+(?:[-/'’·][^\W\d_]+)*)")


def unit_after(text: str, at: int, number: str) -> tuple[str, int] | None:
    r"""Return the unit or counted noun that follows a number which ends at `at`, and where it ends; `None` for none.

    A symbol or name of a unit counts always, a noun in the plural, after 1 in the singular. A verb is no unit, nor is
    a word on the next line.

    >>> unit_after("4 fenders", 1, "4"), unit_after("4 holds 11 t", 1, "4"), unit_after("4\nStatus", 1, "4")
    (('fenders', 9), None, None)
    """
    match = _WORD.match(text, at)
    if match is None:
        return None
    word, end = match.group(1), match.end()
    if is_cjk(word[0]):
        pair = _CJK_PAIRS.match(word)
        length = 2 if pair else 1
        return word[:length], match.start(1) + length
    following = _WORD.match(text, end)
    if word.lower() in _BEFORE_MEASURE and following is not None and is_unit(following.group(1)):
        return text[match.start(1) : following.end()], following.end()
    if word.lower() == "per" and following is not None and following.group(1).lower() == "cent":
        return text[match.start(1) : following.end()], following.end()
    if is_unit(word) or _is_counted(word, number, text):
        return word, end
    return None


def is_unit(word: str) -> bool:
    """Say whether a word is the symbol or the name of a unit of measure, in the singular or plural.

    >>> [is_unit(w) for w in ("mm", "metres", "km/h", "in", "boats")]
    [True, True, True, False, False]
    """
    lower = word.lower()
    if word == "in" or lower in _NO_UNIT:
        return False
    return (
        unit_name(word) is not None
        or bool(_SYMBOL.fullmatch(word))
        or lower.replace("metre", "meter").replace("litre", "liter").removesuffix("s") in UNIT_WORDS
    )


def _is_counted(word: str, number: str, text: str) -> bool:
    lower = word.lower()
    if lower in _NO_UNIT or lower in _VERBS:
        return False
    if lower in _IRREGULAR or (lower.endswith("s") and len(lower) > 3 and not _SINGULAR_S.search(lower)):
        return True
    if number == "1":
        return word.islower() and len(word) > 2 and lower not in ENGLISH and not _OTHER_ENDS.search(lower)
    return bool(_GERMAN_PLURAL.fullmatch(word) and not _SINGULAR_S.search(lower) and _GERMAN.search(text))
