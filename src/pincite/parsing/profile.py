"""What a document is, told from its own lines: its kind, the fields it fills in, and a few lines that sum it up.

Everything is a plain value, so that a model may be asked for the same (`profile` names what it needs to see).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from pincite.text.joining import join_lines
from pincite.text.sentences import sentence_spans
from pincite.text.stopwords import ALL_STOP_WORDS
from pincite.types.document import Line, ParsedDocument, Section, Table

#: A summary has at most so many lines and sentences; a sentence has so many words at least and at most.
_MOST_LINES, _MOST_SENTENCES, _FEWEST_WORDS, _MOST_WORDS = 5, 3, 7, 60
#: So many lines of running text from the beginning are looked through: what comes later is detail.
_LOOKED_AT: Final = 250
#: Sentences of one paragraph: at most so many lines belong to it.
_PARAGRAPH_LINES: Final = 40
#: How much more a sentence counts in an abstract, and one with all words of the title; after so many, half as much.
_OF_A_SUMMARY, _OF_THE_TITLE, _HALVED_AFTER = 2.0, 1.0, 10
#: At most so many fields, a name of at most so many words; a name seen once has to be of a form or a table.
_MOST_FIELDS, _FIELD_WORDS = 12, 5
#: A kind needs so much evidence.
_ENOUGH: Final = 3.0
#: What title, first lines and headings weigh.
_TITLE, _HEAD, _HEADING = 3.0, 2.0, 1.5
_HEAD_LINES: Final = 60
#: More headings of a kind say no more.
_MOST_OF_HEADINGS: Final = 2

_I: Final = re.IGNORECASE
#: Kind → what its title or first lines say, and what its headings say, all in small letters: to look through a text in
#: small letters takes a third of the time of looking without regard to them. The first of equals wins.
_KINDS: Final[tuple[tuple[str, str, str], ...]] = (
    ("annual report (10-K)", r"form\s+10-?k\b", r"item\s+1a|item\s+7\b|part\s+ii\b"),
    ("quarterly report (10-Q)", r"form\s+10-?q\b", r"item\s+2\.|part\s+ii\b"),
    ("current report (8-K)", r"form\s+8-?k\b", r"item\s+\d\.\d\d"),
    ("earnings release", r"reports?\s+(?:\w+\s+){0,4}(?:quarter|fiscal|full.year|results)|earnings release",
     r"outlook|guidance|highlights|conference call|results"),
    ("annual report", r"annual report|geschäftsbericht|rapport annuel|jahresbericht",
     r"directors.? report|financial statements|auditor|corporate governance"),
    ("contract", r"\bagreement\b|\bcontract\b|\bvertrag\b|terms (?:and conditions|of (?:service|use))|\blease\b",
     r"definitions|governing law|termination|confidentiality|indemnif|warrant|miscellaneous|counterparts"),
    ("scientific paper", r"\barxiv\b|\bdoi:|proceedings of|journal of|\babstract\b",
     r"^\W*(?:\d+\.?\s+)?(?:abstract|introduction|related work|methods?|experiments?|results|conclusions?|references|"
     r"acknowledge?ments?)\W*$"),
    ("standard", r"\b(?:iso|iec|en|din|ieee|fips|rfc)\b[\s/-]*(?:\w+[\s/-])?\d+|\bstandard for\b|publication\s+\d{3}",
     r"normative references|terms and definitions|^\W*(?:\d\.?\s+)?(?:scope|purpose|applicability)\W*$|conformance"),
    ("law", r"\bact of\b|\bregulations?\b|\bdirective\b|\bstatute\b|code of federal|\bgesetz\b|verordnung|\bact\b",
     r"^\W*(?:§|article|title|chapter|part)\s*[\divx]+|final provisions|penalties|entry into force"),
    ("manual", r"\bmanual\b|user.?s? guide|\binstructions\b|handbook|quick start|bedienungsanleitung|operating guide",
     r"installation|troubleshooting|maintenance|safety|getting started|set.?up|how to|specifications"),
    ("policy", r"\bpolicy\b|code of conduct|guidelines?\b|\brichtlinie\b",
     r"purpose|scope|responsibilit|compliance|exceptions"),
    ("invoice", r"\binvoice\b|\brechnung\b|\bfacture\b", r"amount due|bill to|payment"),
    ("quotation", r"\bquotation\b|\bquote no|\boffer no|\bangebot\b", r"validity|delivery|prices?"),
    ("form", r"\bapplication form\b|\bquestionnaire\b|\b(?:registration|permit) form\b", r"for office use|signature"),
    ("minutes", r"\bminutes of\b|meeting minutes|\bprotokoll\b|\bprocès-verbal\b",
     r"attendees|present|agenda|action items|resolutions?"),
    ("curriculum vitae", r"curriculum vitae|\brésumé\b|\bresume\b|lebenslauf",
     r"education|experience|skills|publications"),
    ("thesis", r"\bthesis\b|dissertation", r"literature review|acknowledge?ments|bibliography|methodology"),
    ("press release", r"press release|for immediate release|media contact", r"^about\b|contact"),
    ("data sheet", r"data ?sheet|technical data|product specification|datenblatt",
     r"features|ordering|electrical|dimensions"),
    ("release notes", r"changelog|release notes|what.?s new", r"^\W*v?\d+\.\d+|added|fixed|changed"),
    ("documentation", r"\breadme\b|documentation|api reference",
     r"install|usage|configuration|examples?|quick ?start|licen[cs]e"),
    ("report", r"\breport\b|\bbericht\b|\brapport\b",
     r"executive summary|findings|recommendations|conclusions?|background"),
    ("letter", r"^dear\b|sehr geehrte|yours sincerely", r"^$"),
)  # fmt: skip
_COMPILED: Final = tuple((kind, re.compile(said, re.MULTILINE), re.compile(headed)) for kind, said, headed in _KINDS)
#: Kinds that the format tells.
_BY_FORMAT: Final[dict[str, str]] = {
    "CSV": "table", "TSV": "table", "e-mail": "e-mail",
    "EPUB": "book", "PowerPoint": "slides", "Excel": "spreadsheet",
}  # fmt: skip
_SUMMARY_HEAD: Final = re.compile(
    r"\b(?:abstract|summary|overview|highlights|zusammenfassung|résumé|introduction|purpose|scope|einleitung"
    r"|business|about|background|at a glance)\b",
    _I,
)
#: Sentences, in small letters, that only send elsewhere, warn, or define.
_ASIDE: Final = re.compile(
    r"^\W*(?:see|for (?:more|additional|further) information|the following (?:table|chart)|keywords)\b"
    r"|forward.looking|\bherein\b|by check ?mark|[☐☒☑]|securities registered|has the meaning"
    r"|incorporated by reference|all rights reserved|^[⁰¹²³⁴-⁹*†‡!•]"
)
_FIELD: Final = re.compile(r"^\W{0,3}(?P<name>[^\W\d_][^:|\t]{1,38}?)\s*:(?!\S)\s*(?P<value>\S?)")
#: Words over columns that name no field, and parts of dates.
_NO_FIELD: Final = ALL_STOP_WORDS | frozenset(
    "total less add net other note notes page continued amount of see".split()
)
_DATED: Final = re.compile(
    r"\d|,$|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|ended|ending)\b",
    _I,
)
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is told of a document: `line_ids` are the lines of the sentences of `summary`, in order."""

    doc_type: str | None = None
    typical_fields: tuple[str, ...] = ()
    summary: str | None = None
    line_ids: tuple[int, ...] = ()


def profile(
    lines: Sequence[Line],
    sections: Sequence[Section],
    tables: Sequence[Table] = (),
    *,
    title: str | None,
    format_name: str,
) -> Profile:
    """Return the profile of a document; each part is left out where the lines do not tell it."""
    shown = [line for line in lines if line.layer != "hidden" and line.text.strip()]
    summary = _summary(shown, sections, title or "")
    return Profile(
        doc_type=doc_type(shown, [section.title for section in sections], title=title, format_name=format_name),
        typical_fields=typical_fields(shown, tables),
        summary="\n".join(sentence.text for sentence in summary) or None,
        line_ids=tuple(sorted({line.line_id for sentence in summary for line in sentence.lines})),
    )


def doc_type(lines: Sequence[Line], headings: Sequence[str], *, title: str | None, format_name: str) -> str | None:
    """Return what kind of document this is, in a word or two, `None` where nothing tells.

    The title counts most, then the first lines, then how many headings are those of a kind.
    """
    known = "source code" if format_name.endswith("source") else _BY_FORMAT.get(format_name)
    if known is not None:
        return known
    head = "\n".join([line.text for line in lines[:_HEAD_LINES]]).lower()
    called, headings = (title or "").lower(), [heading.lower() for heading in headings]
    best, most = None, _ENOUGH
    for kind, said, headed in _COMPILED:
        score = _TITLE * bool(called and said.search(called)) + _HEAD * bool(said.search(head))
        if score + _MOST_OF_HEADINGS * _HEADING <= most:
            continue
        seen = len({match[0] for heading in headings if (match := headed.search(heading))})
        score += _HEADING * min(seen, _MOST_OF_HEADINGS)
        if score > most:
            best, most = kind, score
    return best


def typical_fields(lines: Sequence[Line], tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the names of what a document states: form fields, "Name: value" lines, columns of its tables."""
    found: Counter[str] = Counter()
    for line in lines:
        if line.role in {"heading", "code", "header", "footer"} or ":" not in line.text[:44]:
            continue
        match = _FIELD.match(line.text)
        if match is not None and _is_field(match["name"]):
            found[_field(match["name"])] += 2 if line.layer == "form" or line.role == "metadata" else 1
    for table in tables:
        for cell in table.cells:
            if cell.row <= table.header_rows and _is_field(cell.text):
                found[_field(cell.text)] += 2
    return tuple(name for name, count in found.most_common(_MOST_FIELDS) if count > 1)


def _is_field(text: str) -> bool:
    words = text.split()
    if text.lower().strip() in _NO_FIELD or _DATED.search(text):
        return False
    return 0 < len(words) <= _FIELD_WORDS and text[:1].isupper() and sum(map(str.isalpha, text)) >= 0.6 * len(text)


def _field(text: str) -> str:
    return " ".join(text.split()).strip("*_ ")


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    lines: tuple[Line, ...]
    weight: float
    words: frozenset[str]


def _summary(lines: Sequence[Line], sections: Sequence[Section], title: str) -> list[_Sentence]:
    """Return the few sentences that hold most of what the text is about, in reading order."""
    titles = {section.section_id: section.title for section in sections}
    wanted = frozenset(w.lower() for w in _WORD.findall(title)) - ALL_STOP_WORDS
    sentences = list(_sentences(lines, titles, wanted))
    counts: Counter[str] = Counter(word for sentence in sentences for word in sentence.words)
    chosen: list[_Sentence] = []
    line_ids: set[int] = set()
    said: set[str] = set()
    for sentence in sorted(sentences, key=lambda sentence: -_value(sentence, counts))[: 4 * _MOST_SENTENCES]:
        mine = {line.line_id for line in sentence.lines}
        repeats = len(sentence.words & said) > 0.6 * len(sentence.words)
        if repeats or len(line_ids | mine) > _MOST_LINES or len(chosen) == _MOST_SENTENCES:
            continue
        chosen.append(sentence)
        line_ids |= mine
        said |= sentence.words
    return sorted(chosen, key=lambda sentence: sentence.lines[0].line_id)


def _value(sentence: _Sentence, counts: Mapping[str, int]) -> float:
    """Return the mean of how often the words of a sentence occur: what is spoken of most is what a text is about."""
    return sentence.weight * sum(counts[word] for word in sentence.words) / (len(sentence.words) + 4)


def _sentences(lines: Sequence[Line], titles: Mapping[int, str], wanted: frozenset[str]) -> Iterator[_Sentence]:
    n_read = n_sentences = 0
    for paragraph in _paragraphs(lines):
        n_read += len(paragraph)
        if n_read > _LOOKED_AT:
            return
        joined = join_lines([line.text for line in paragraph])
        in_summary = _SUMMARY_HEAD.search(titles.get(paragraph[0].section_id or 0, "")) is not None
        for span in sentence_spans(joined.text):
            text = joined.text[span.start : span.end].strip()
            if text[-1:] not in ".!。" or not _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS:
                continue
            low = text.lower()
            words = frozenset(_WORD.findall(low)) - ALL_STOP_WORDS
            if len(words) < 4 or not (text[0].isupper() or not text[0].isascii()) or _ASIDE.search(low):
                continue
            n_sentences += 1
            first, last = joined.line_index_at(span.start), joined.line_index_at(max(span.start, span.end - 1))
            weight = _OF_A_SUMMARY if in_summary else 1.0
            weight *= 1 + _OF_THE_TITLE * len(words & wanted) / max(len(wanted), 1)
            weight /= 1 + n_sentences / _HALVED_AFTER
            yield _Sentence(text, tuple(paragraph[first : last + 1]), weight, words)


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield runs of lines of running text, each of one section."""
    run: list[Line] = []
    for line in lines:
        if line.role != "body" or line.layer not in {"text", "ocr"}:
            continue
        if run and (
            run[-1].section_id != line.section_id or line.line_id > run[-1].line_id + 1 or len(run) >= _PARAGRAPH_LINES
        ):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def profiled(document: ParsedDocument) -> ParsedDocument:
    """Return the document with its profile and its quality flags by page in the parsing summary."""
    given = document.parsing_summary
    # A file may be called what it is: README.md, invoice-17.pdf.
    title = f"{given.title or ''}\n{document.name}"
    found = profile(document.lines, document.toc, document.tables, title=title, format_name=given.format)
    flags: dict[str, list[int]] = {}
    for page in document.pages:
        for flag in page.flags:
            flags.setdefault(flag, []).append(page.page_num)
    summary = msgspec.structs.replace(
        given,
        doc_type=found.doc_type,
        typical_fields=found.typical_fields,
        summary=found.summary,
        summary_line_ids=found.line_ids,
        page_flags={flag: tuple(pages) for flag, pages in flags.items()},
    )
    return msgspec.structs.replace(document, parsing_summary=summary)
