"""Words that say nothing about what a text is about (English; short lists for German, French and Spanish)."""

from typing import Final

ENGLISH: Final = frozenset(
    """a about above after again against all also am an and any are aren't as at be because been before being below
    between both but by can can't cannot could couldn't did didn't do does doesn't doing don don't down during each
    few for from further had hadn't has hasn't have haven't having he her here hers herself him himself his how i
    if in into is isn't it its itself just let me more most must my myself no nor not of off on once only or other
    ought our ours ourselves out over own per same shall shan't she should shouldn't so some such than that the
    their theirs them themselves then there these they this those through to too under until up upon us very was
    wasn't we were weren't what when where whether which while who whom whose why will with won't would wouldn't
    you your yours yourself yourselves""".split()
)
#: Words of questions and requests: they name the form of the answer, not its subject.
ASKING: Final = frozenset(
    """what which who whom whose when where why how many much long often far tell give list show find
    describe explain please say says said state states mention mentioned according document documents text file
    there is are was were do does did ask asks asked one compare versus vs""".split()
)
#: Words that a question needs for its grammar and an answer seldom repeats: they count, but for little.
WEAK: Final = frozenset(
    """apply applies applied call called come comes concern decide decided decides decision define defined do done
    get give given gives go goes happen happened happens hold holds involve involved keep kept keeps know known
    locate located make makes made mean means stand stands need needed needs occur occurs provide provided regard relate
    require support supported supports take takes taken talk use used uses using want work
    works kind kinds sort sorts type types thing
    things way ways name number value amount current currently exactly overall total
    version versions""".split()
)
#: Words that name the form of an answer: a typo in one of them is put right although no document holds the word.
FORM: Final = frozenset(
    """options option choices choice alternatives alternative possibilities possibility kinds types sorts examples
    example things ways methods steps reasons names list lists number amount technique techniques approach approaches
    strategy strategies""".split()
)
GERMAN: Final = frozenset(
    """der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde
    wurden von vom mit zu zum zur im in am an auf für bei nach aus um über unter vor durch ohne gegen seit ab
    wie was wer wen wem wo wann woher wohin womit warum wieso weshalb welche welcher welches welchen welchem
    wieviel nicht es er sie ihr ihm sich auch als dass daß hat haben hatte kann man dieser diese dieses diesem
    diesen noch so wenn""".split()
)
#: Words of German questions and requests, and what an answer need not repeat.
GERMAN_ASKING: Final = frozenset(
    """steht stehen sagt gibt viel viele vielen lange oft nenne nennen liste zeige bitte lautet heißt heisst beträgt
    betragen dokument text datei darf dürfen muss muß müssen soll sollen können könnte gelten gilt""".split()
)
FRENCH: Final = frozenset(
    """le la les un une des de du et ou est sont était dans sur pour par avec au aux ce cette ces qui que quoi quel
    quelle quels quelles quand où comment combien pourquoi il elle ils elles ne pas se son sa ses en y à a ont
    été plus l d qu""".split()
)
FRENCH_ASKING: Final = frozenset(
    "dit disent parle liste donne montre document texte fichier lieu peut peuvent doit doivent est-ce".split()
)
SPANISH: Final = frozenset(
    """el la los las un una unos unas de del y o es son era en para por con al se su sus que qué quién cuál cuáles
    cuándo dónde cómo cuánto cuánta cuántos cuántas no lo fue hay está están puede pueden debe deben""".split()
)
STOP_WORDS: Final = ENGLISH
ALL_STOP_WORDS: Final = ENGLISH | GERMAN | FRENCH
#: Words of a question that say nothing of its subject, by its language.
SILENT: Final[dict[str, frozenset[str]]] = {
    "en": ENGLISH | ASKING | (GERMAN | FRENCH) - frozenset({"die", "man", "war", "hat", "plus", "pas", "son", "sage"}),
    "de": ENGLISH | GERMAN | GERMAN_ASKING,
    "fr": ENGLISH | FRENCH | FRENCH_ASKING,
    "es": ENGLISH | SPANISH,
}
