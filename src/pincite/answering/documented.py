"""What a function, class or constant does, returns or raises: said by its comment, docstring or the text below it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pincite.answering.doc_texts import DocText, comment_above, docstring_below, text_below
from pincite.types.answer import Draft, DraftItem
from pincite.types.question import GenerationBrief
from pincite.types.record import Record
from pincite.types.source import ReadingLine

_KINDS: Final = (
    "function|method|class|command|procedure|macro|constant|variable|struct|type|interface|trait|enum|module|hook"
    "|decorator|property|endpoint|subroutine|helper|call|attribute|field"
)
_NAME: Final = rf"(?:the\s+)?(?:(?P<kind>{_KINDS})\s+)?[`'\"“]?(?P<name>[\w$.:]*\w)(?P<call>\([^()]*\))?[`'\"”]?"
_AFTER: Final = rf"(?:\s+(?P<after>{_KINDS}))?"
_MODAL: Final = r"(?:does|do|will|can|may|might|should)"
#: What is asked of a symbol, by the form of the question.
_ASKED: Final = tuple(
    (aspect, re.compile(rf"^\W*{pattern}\W*$", re.IGNORECASE))
    for aspect, pattern in (
        ("raises", rf"what (?:errors?|exceptions?|panics?) {_MODAL} {_NAME}{_AFTER} (?:raise|throw|cause|return)s?"),
        ("raises", rf"what {_MODAL} {_NAME}{_AFTER} (?:raise|throw)s?"),
        ("returns", rf"what {_MODAL} {_NAME}{_AFTER} (?:return|give back|yield|produce|output)s?(?: on success)?"),
        ("returns", rf"what is (?:the )?(?:return value|return type|result|output) of {_NAME}{_AFTER}"),
        ("returns", rf"what is returned by {_NAME}{_AFTER}"),
        ("does", rf"what {_MODAL} {_NAME}{_AFTER} do"),
        ("does", rf"what is (?:the )?(?:purpose|job|role|point|use) of {_NAME}{_AFTER}"),
        ("does", rf"what is (?:an? )?{_NAME}{_AFTER}(?: (?:used )?for)?"),
    )
)
#: Longer lines (characters) are data or made by a program.
_LONGEST_LINE: Final = 400
_SURE: Final = 0.9
_LESS_SURE: Final = 0.75


class _Question(Record, frozen=True, kw_only=True):
    """The symbol that a question is about, and what it asks of it: what it does, returns or raises."""

    name: str
    aspect: str
    is_symbol: bool
    is_code: bool


def _question(text: str) -> _Question | None:
    """Return what a question asks of a symbol.

    `is_symbol` says that its form leaves no doubt that it is one, `is_code` that the name alone does.
    """
    for aspect, pattern in _ASKED:
        match = pattern.match(text)
        if match is None:
            continue
        name = match["name"].strip(".:")
        is_told = match["kind"] or match["after"] or match["call"] or "`" in text
        is_code = re.search(r"[_$]|[a-z][A-Z]|\w[.:]+\w|\d", name) is not None
        return _Question(name=name, aspect=aspect, is_symbol=bool(is_told) or is_code, is_code=is_code)
    return None


def documented(brief: GenerationBrief, lines: Sequence[ReadingLine]) -> Draft | None:
    """Return what is said of a symbol where it is defined; `None` where none is asked about, or nothing says it.

    The sentence is cited first, then the line that defines the symbol. A symbol that no line names gives no items.
    """
    asked = _question(brief.question)
    if asked is None or brief.shape not in ("text", "list"):
        return None
    name = re.split(r"[.:]+", asked.name)[-1]
    if asked.is_code and not any(name.casefold() in line.line.text.casefold() for line in lines):
        return Draft(shape="text", items=(), reason=f"No line that was read names {asked.name}.")
    for texts, at in _definitions(name, asked, lines):
        said = _said(asked.aspect, texts, lines, at)
        if said is not None:
            signature = DocText.of_lines([lines[at]]).quote
            quotes = (said.quote,) if said.holds(lines[at].line.line_id) else (said.quote, signature)
            sure = _SURE if said.is_sure else _LESS_SURE
            return Draft(shape="text", items=(DraftItem(text=said.text, quotes=quotes),), confidence=sure)
    return None


def _definitions(name: str, asked: _Question, lines: Sequence[ReadingLine]) -> Iterator[tuple[list[DocText], int]]:
    """Yield what documents the symbol at each place that defines it, and the index of the defining line."""
    in_code, titled = _defines(name), _titled(name, is_symbol=asked.is_symbol)
    whole = asked.name.split(".")[:-1]
    for at, line in enumerate(lines):
        text = line.line.text
        if name not in text or line.line.layer == "hidden" or len(text) > _LONGEST_LINE:
            continue
        if line.line.role == "code":
            # A block of a manual shows how it is called, and the text below it says what for.
            is_shown = line.is_markdown and re.match(rf"\s*(?:\w+[.:]+)*{re.escape(name)}\s*\(", text) is not None
            if not is_shown and not in_code.match(text):
                continue
            if not all(_is_within(owner, line) for owner in whole):
                continue
            told = docstring_below(lines, at)
            yield [*told, *comment_above(lines, at), *([] if told else text_below(lines, at))], at
        elif re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) and (
            (line.line.role == "heading" and titled.search(text)) or _DIRECTIVE.match(text)
        ):
            yield text_below(lines, at), at


def _is_within(owner: str, line: ReadingLine) -> bool:
    return any(re.search(rf"\b{re.escape(owner)}\b", text) for text in (line.line.text, *line.breadcrumb))


#: Words that open a definition, in the languages that define things so.
_OPENS: Final = (
    "def|class|func|fn|function|fun|sub|proc|procedure|const|let|var|val|struct|enum|interface|trait|type|module|record"
    "|object|static|public|private|protected|internal|void|virtual|async|export|local|final|abstract|override|inline"
    "|unsafe|pub|extern|macro_rules!|define|final|data|newtype|protocol"
)
_DIRECTIVE: Final = re.compile(r"^\.\.\s+(?:[a-z]+:)?(?:function|method|class|data|attribute|exception|macro|module)::")


def _defines(name: str) -> re.Pattern[str]:
    """Return a pattern of a line of code that defines a name."""
    escaped = re.escape(name)
    return re.compile(
        rf"^\s*(?:[#@(]?\w[\w<>\[\]*&:,!]*\s+)*?#?(?:{_OPENS})(?:\s*\([^()]*\))?\s[^=();{{}}]*?(?<![\w.]){escaped}(?!\w)"
        rf"|^\s*(?:self\.|this\.|exports\.|module\.exports\.)?{escaped}\s*(?::[^=]*)?(?::?=)(?!=)"
        rf"|^\s*{escaped}\s*(?:\([^;]*\))\s*(?::\s*[\w<>\[\]|., ]+)?\s*\{{\s*$"
        rf"|^(?!\s*(?:return|if|else|await|throw|new|case|while|for|not|and|or)\b)[\w\s*&<>,:\[\]]+\s[*&]?{escaped}\s*\([^;]*$"
    )


def _titled(name: str, *, is_symbol: bool) -> re.Pattern[str]:
    """Return a pattern of a heading that is about a symbol: its name as code or with brackets, or alone."""
    escaped = re.escape(name)
    alone = (
        rf"|^\W*(?:(?:{_KINDS})\W+)?{escaped}\W*(?:\s(?:{_KINDS}))?$"
        if is_symbol
        else rf"|\b(?:{_KINDS})\W+{escaped}\b"
    )
    return re.compile(rf"`[^`]*(?<![\w]){escaped}(?!\w)[^`]*`|(?<![\w]){escaped}\s*\({alone}", re.IGNORECASE)


_RETURNS: Final = re.compile(
    r"^(?:[-*•]\s+)?\W{0,4}(?:@returns?|\\returns?|:returns?:|<returns>|returns?|yields?)\b", re.IGNORECASE
)
_RAISES: Final = re.compile(
    r"^(?:[-*•]\s+)?\W{0,4}(?:@throws|@exception|:raises?\b|<exception|raises?|throws?|errors?\s*:|panics?)",
    re.IGNORECASE,
)
#: What opens a part of a comment that says nothing of what the symbol does.
_PART: Final = re.compile(
    r"^(?:[-*•]\s+)?\W{0,4}(?:@\w+|:\w+[^:]*:|<(?:param|returns|exception|remarks)|(?:returns?|yields?|raises?|throws?|args"
    r"|arguments|parameters?|params|examples?|notes?|errors?|todo|see also)\W{0,3}$"
    r"|(?:args|arguments|parameters?|raises)\W{0,3}:)",
    re.IGNORECASE,
)
#: Comments for programs, not for readers.
_FOR_TOOLS: Final = re.compile(
    r"^(?:noqa|pylint|eslint|type:|pragma|nolint|todo|fixme|ruff|mypy|prettier|-\*-)", re.IGNORECASE
)
_STATEMENT: Final = {"returns": r"\s*return\b\s*[^;\s]", "raises": r"\s*(?:raise|throw)\b\s*\S"}
_TOLD: Final = {
    "returns": re.compile(r"\b(?:returns?|returned|yields?|gives? back)\b", re.IGNORECASE),
    "raises": re.compile(r"\b(?:raises?|raised|throws?|thrown|panics?)\b", re.IGNORECASE),
}


def _said(aspect: str, texts: Sequence[DocText], lines: Sequence[ReadingLine], at: int) -> DocText | None:
    """Return the part of what documents a symbol that says what is asked."""
    telling = [text for text in texts if not _FOR_TOOLS.match(text.text)]
    if aspect == "does":
        return next((text.shortened() for text in telling if not _PART.match(text.text)), None)
    opens = _RETURNS if aspect == "returns" else _RAISES
    for text in telling:
        if opens.match(text.text):
            return text.shortened()
    for text in telling:
        sentence = text.sentence(_TOLD[aspect])
        if sentence is not None:
            return sentence
    return _stated(aspect, lines, at)


def _stated(aspect: str, lines: Sequence[ReadingLine], at: int) -> DocText | None:
    """Return the type that a signature names, or the one statement of the body that returns or raises."""
    defined = lines[at]
    if aspect == "returns" and re.search(r"->\s*\w", defined.line.text):
        return DocText.of_lines([defined], is_sure=False)
    if defined.line.role != "code":
        return None
    indent = _indent(defined)
    found = []
    for line in lines[at + 1 :]:
        if not line.line.text.strip():
            continue
        if line.doc_id != defined.doc_id or (
            _indent(line) <= indent and line.line.text.strip() not in ("}", "{", ")", "):")
        ):
            break
        if re.match(_STATEMENT[aspect], line.line.text):
            found.append(line)
    return DocText.of_lines(found, is_sure=False) if len(found) == 1 else None


def _indent(line: ReadingLine) -> int:
    text = line.line.text
    return len(text) - len(text.lstrip())
