"""Which shape of answer a question asks for, and how much must be read to give it."""

import re
from typing import Final

from pincite.text.language import question_language
from pincite.types.question import Granularity, Shape
from pincite.types.record import Record


class Asked(Record, frozen=True, kw_only=True):
    """The shape, and for counts and amounts what is counted or measured."""

    shape: Shape
    granularity: Granularity
    counts: bool = False
    subject: str | None = None


_I: Final = re.IGNORECASE
_COUNT: Final = re.compile(
    r"\bhow many\s+(?P<noun>(?:[\w-]+\s+){0,3}?[\w-]+)|\b(?:the )?number of\s+(?P<noun2>[\w-]+)", _I
)
#: "How many percentage points" counts nothing: a difference of two shares is asked for.
_POINTS: Final = re.compile(r"(?:percentage|basis|percent)\b", _I)
_COMPARISON: Final = re.compile(r"\b(compare|comparison|difference[s]? between|versus|vs\.?|differ from)\b", _I)
_TABLE: Final = re.compile(r"\b(as a table|in a table|tabulate|table (of|with|showing))\b", _I)
_LIST: Final = re.compile(
    r"^\W*(?:please\s+)?(?:(?:can|could) you\s+)?"
    r"(?:list|enumerate|name|give me|show me|tell me)\s+(?:all|the|every|each|me)\b"
    r"|^\W*(?:please\s+)?(?:give|show|display|present|print)\s+(?:the|our|all|its)\s+(?:[\w-]+\s+){0,3}?[\w-]+s"
    r"(?:\s+(?:of|for|in|by|from|per)\b|\W*$)"
    r"|^\W*(?:list|enumerate)\b|\b(?:list all|list of|all the|which of the)\b"
    r"|^\W*what (?:are|were) (?:the |all |its |their |some |possible |different )*(?P<plural>[\w-]+\s){0,4}?"
    r"|^\W*(?:what|which) (?:kinds|types|sorts|options|steps|parts|components|functions|categories|reasons|methods"
    r"|features|factors|elements|benefits|risks|principles|requirements|conditions|examples)\b",
    _I,
)
_PLURAL_SUBJECT: Final = re.compile(
    r"^\W*(?:what|which)\s+(?:[\w-]+\s+){0,2}?(?P<noun>[\w-]{3,}s)\s+"
    r"(?:are|were|have|do|did|can|may|must|should|need|\w+ed)\b",
    _I,
)
_SINGULAR_S: Final = re.compile(r"(?:ss|us|is|ics|ous|news|series|species|gas|bus|has|was|does)$", _I)
_DATE: Final = re.compile(
    r"^\W*(?:\w+\s+){0,2}?when\b|\b(?:what|which)\s+(?:\w+\s+)?(?:date|day|year|month)\b"
    r"|\b(?:until|since|by|from) when\b",
    _I,
)
#: What a word means is no amount, whatever the word: "What does a body mass index above 30 mean?"
_MEANING: Final = re.compile(r"^\W*what (?:do|does|did)\b.+\b(?:means?|stand for|refer to|denote)\W*$", _I)
#: What a thing is, in the singular and without an article of its own: "What is a Base Rate Advance?"
_INDEFINITE: Final = re.compile(r"^\W*what(?: is| was|['’]s) an?\s+(?P<named>[^?.,;:]+?)\W*$", _I)
_SHARE: Final = re.compile(r"\b(?:what|which) (?:percentage|percent|share|proportion|fraction)\b", _I)
_OFTEN: Final = re.compile(r"\bhow (often|frequently)\b", _I)
_MEASURES: Final = (
    "price|cost|fee|fine|charge|rate|value|amount|sum|total|weight|mass|length|width|height|depth|size|area|volume|distance"
    "|speed|temperature|pressure|torque|power|voltage|resistance|capacity|limit|percentage|percent|share|ratio|score|accuracy"
    "|revenue|income|profit|budget|salary|duration|age|angle|frequency|dose|concentration|probability|threshold|number"
    "|dimension|dimensionality|margin|expenditure|spending|earnings|assets|debt|ebitda|penalty|tariff|interval"
)
_AMOUNT: Final = re.compile(
    rf"\bhow (?:much|long|wide|high|deep|far|heavy|old|tall|fast|big|large|thick|hot|cold|strong|steep)\b"
    rf"|\bwhat (?:is|was|are|were)?\s*(?:the |its |their )?(?:[\w-]+\s+){{0,4}}?(?:{_MEASURES})\b"
    rf"|\b(?:what|which)\s+(?:[\w-]+\s+){{0,3}}?(?:{_MEASURES})\b|\bwhat percentage\b"
    r"|\bhow many (?:percentage|basis|percent)\b"
    r"|\bwhat does .+ (?:cost|weigh|pay|measure)\b",
    _I,
)
#: A number that names a thing and measures nothing: it may hold letters, "PN-7781".
_IDENTITY: Final = re.compile(
    r"\b(?:phone|telephone|fax|mobile|invoice|policy|contract|order|account|serial|part|model|registration|document|docket"
    r"|case|file|reference|permit|licen[cs]e|passport|customer|client|member(?:ship)?|ticket|batch|lot|article|item|room"
    r"|flight|train|bus|tax|vat|id|identification|tracking|patent|catalogu?e|project|cheque|check|seal|house)\s+"
    r"(?:number|no\.)(?!\s+of\b)",
    _I,
)
_BOOLEAN: Final = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|can|could|may|must|should|shall|has|have|had|will|would)(?:n't)?\s", _I
)


def asked_shape(question: str) -> Asked:
    """Return the shape a question asks for; the first rule that holds decides.

    >>> [asked_shape(q).shape for q in ("Which models have no torque?", "When was it built?", "Is it safe?")]
    ['list', 'date', 'boolean']
    >>> asked_shape("How many GPUs were used?").counts
    True
    """
    language = question_language(question)
    if language in _FOREIGN:
        return _asked_in(_FOREIGN[language], question)
    if _COMPARISON.search(question):
        return Asked(shape="comparison", granularity="section")
    if _TABLE.search(question):
        return Asked(shape="table", granularity="section")
    count = _COUNT.search(question)
    if count is not None and _POINTS.match(count["noun"] or "") is None:
        return Asked(shape="amount", granularity="window", counts=True, subject=count["noun"] or count["noun2"])
    if _MEANING.search(question) or _is_of_a_kind(question):
        return Asked(shape="text", granularity="window")
    if _SHARE.search(question):
        return Asked(shape="amount", granularity="window")
    if _is_list(question):
        return Asked(shape="list", granularity="section")
    if _OFTEN.search(question):
        return Asked(shape="text", granularity="window")
    if _BOOLEAN.search(question) and not re.search(r"\bor\b", question, _I):
        return Asked(shape="boolean", granularity="window")
    if _DATE.search(question):
        return Asked(shape="date", granularity="window")
    if _AMOUNT.search(question) and not _IDENTITY.search(question):
        return Asked(shape="amount", granularity="window")
    return Asked(shape="text", granularity="window")


def _is_of_a_kind(question: str) -> bool:
    """Say whether a question asks what a kind of thing is, whose name only begins like that of a measure."""
    match = _INDEFINITE.search(question)
    if match is None:
        return False
    head = _PREPOSITION.split(match["named"], maxsplit=1)[0].split()
    return bool(head) and re.fullmatch(rf"(?:{_MEASURES})s?", head[-1], _I) is None


#: What ends the name of a thing: "the price of …".
_PREPOSITION: Final = re.compile(r"\s+(?:of|for|in|on|at|to|with|per|by|from|under|between)\b", _I)


class _Words(Record, frozen=True, kw_only=True):
    """The patterns of one language, in the order in which they decide."""

    comparison: str
    count: str
    amount: str
    date: str
    plural: str
    boolean: str
    #: What a question for yes or no has not.
    open: str


_FOREIGN: Final = {
    "de": _Words(
        comparison=r"\b(?:vergleich\w*|unterschied\w*|unterscheide\w*)\b",
        count=r"\bwie\s?viele\s+(?P<noun>[\w-]+)|\b(?:an)?zahl (?:der|von|des|aller)\s+(?P<noun2>[\w-]+)",
        amount=r"\bwie\s?viel\b|\bwie (?:hoch|groß|gross|lang|lange|breit|tief|weit|schwer|alt|teuer|schnell|dick"
        r"|warm|heiß|stark|kalt)\b|\bwas (?:kostet|kosten|kostete|wiegt|wiegen|misst|beträgt)\b"
        r"|\bwelche[rsn]? (?:höhe|länge|breite|tiefe|größe|gewicht|preis|temperatur|dauer|betrag|druck"
        r"|spannung|leistung)\b",
        date=r"\bwann\b|\b(?:an welchem (?:tag|datum)|in welchem (?:jahr|monat)|welches (?:datum|jahr)"
        r"|welchen (?:tag|monat))\b",
        plural=r"^\W*(?:nenne|liste|zähle|zeige)\b|\balle\b.+\bauf\W*$|^\W*welche\s+(?:[\w-]+\s+){1,3}?(?:sind|waren"
        r"|haben|hatten|werden|wurden|müssen|können|dürfen|gibt es|gehören|liegen|stehen|kosten)\b"
        r"|^\W*(?:was sind|welche sind)\b",
        boolean=r"^\W*(?:ist|sind|war|waren|darf|dürfen|durfte|durften|kann|können|konnte|konnten|muss|muß|müssen|musste"
        r"|mussten|soll|sollen|sollte|sollten|hat|haben|hatte|hatten|wird|werden|wurde|wurden|gibt es|gab es|gilt"
        r"|gelten)\s"
        r"|^\W*[^\W\d_]+(?:t|en)\s+(?:der|die|das|ein|eine|ich|man|er|sie|es|wir|mein|meine|unser|unsere|dieser|diese|dieses"
        r"|jeder|jede|jedes)\s",
        open=r"\boder\b|^\W*(?:\w+\s+)?(?:was|wer|wen|wem|wessen|wann|wo|woher|wohin|womit|wofür|wie|warum|weshalb|wieso"
        r"|welche[rsnm]?|wieviele?)\b|^\W*(?:seit|zeit|mit)\s",
    ),
    "fr": _Words(
        comparison=r"\b(?:compare[rz]?|comparaison|différences?)\b",
        count=r"\bcombien (?:de\s+|d['’])(?!temps\b)(?P<noun>[\w-]+)|\bnombre (?:de\s+|d['’]|des\s+)(?P<noun2>[\w-]+)",
        amount=r"\bcombien\b|\bquel(?:le)? (?:est|était) (?:le|la|l['’])\s?(?:prix|coût|montant|poids|hauteur"
        r"|longueur|largeur|profondeur|taille|température|durée|pression|vitesse|tarif)\b|\bà quel prix\b",
        date=r"\bquand\b|\b(?:à|en|de|depuis|jusqu['’]à)?\s?quel(?:le)? (?:date|année|jour|mois)\b",
        plural=r"^\W*quel(?:le)?s\b|^\W*(?:liste|énumère|donne)\w*\b",
        boolean=r"\best-ce qu|[^\W\d_]-(?:t-)?(?:ils?|elles?|on|vous|nous|je|ce)\b",
        open=r"\bou\b(?! non)|\b(?:quel(?:le)?s?|quand|où|combien|comment|pourquoi|qui|quoi|lequel|laquelle)\b"
        r"|^\W*qu(?:e\b|['’])",
    ),
    "es": _Words(
        comparison=r"\b(?:compara\w*|diferencias?)\b",
        count=r"\bcuánt[oa]s\s+(?P<noun>[\w-]+)|\bnúmero de\s+(?P<noun2>[\w-]+)",
        amount=r"\bcuánt[oa]\b|\bcuál (?:es|era) (?:el|la)\s+(?:precio|costo|coste|importe|peso|altura|longitud|anchura"
        r"|profundidad|tamaño|temperatura|duración|presión|velocidad|tarifa)\b",
        date=r"\bcuándo\b|\b(?:en )?qué (?:fecha|año|día|mes)\b",
        plural=r"^\W*(?:cuáles|lista|enumera)\b",
        boolean=r"^\s*¿|^\W*(?:es|son|era|está|están|puede|pueden|debe|deben|hay|tiene|tienen|se puede|se pueden|ha"
        r"|han)\s",
        open=r"\bo\b(?! no)|\b(?:qué|quién(?:es)?|cuál(?:es)?|cuándo|dónde|adónde|cómo|cuánt[oa]s?)\b"
        r"|^\W*(?:\w+\s+)?(?:que|quien|cual(?:es)?|cuando|donde|como|cuant[oa]s?)\b",
    ),
}  # fmt: skip


def _asked_in(words: _Words, question: str) -> Asked:
    """Return the shape of a question in another language."""
    if re.search(words.comparison, question, _I):
        return Asked(shape="comparison", granularity="section")
    count = re.search(words.count, question, _I)
    if count is not None:
        return Asked(shape="amount", granularity="window", counts=True, subject=count["noun"] or count["noun2"])
    if re.search(words.date, question, _I):
        return Asked(shape="date", granularity="window")
    if re.search(words.plural, question, _I):
        return Asked(shape="list", granularity="section")
    if re.search(words.boolean, question, _I) and not re.search(words.open, question, _I):
        return Asked(shape="boolean", granularity="window")
    return Asked(shape="amount" if re.search(words.amount, question, _I) else "text", granularity="window")


def _is_list(question: str) -> bool:
    match = re.match(r"^\W*what (?:are|were)\s+(?P<rest>.+)", question, _I)
    if match is not None:
        return _names_plural(match["rest"])
    if re.search(r"^\W*(?:what|which) (?:is|was)\b", question, _I):
        return False
    if _PLURAL_SUBJECT.search(question) is not None:
        noun = _PLURAL_SUBJECT.search(question)
        return noun is not None and not _SINGULAR_S.search(noun["noun"])
    return bool(_LIST.search(question)) and match is None


def _names_plural(rest: str) -> bool:
    """Say whether the words after "what are" begin with a plural: "the options for …", not "the odds of …"."""
    head = re.split(
        r"\b(?:of|for|in|on|to|that|which|used|with|at|from|by|defined|listed|described)\b", rest, maxsplit=1
    )[0]
    nouns = [w for w in re.findall(r"[\w-]+", head) if not _SINGULAR_S.search(w)]
    return (bool(nouns) and nouns[-1].lower().endswith("s")) or bool(
        re.search(r"\b(and|criteria|people|data|men|women|children)\b", head)
    )
