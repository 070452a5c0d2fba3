"""One reader for the forms in which the case files say what a question should get."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pincite.errors import PinciteError
from pincite.library import Library
from pincite.text.fold import fold
from pincite.text.quotes import QuoteFinder
from pincite.types.answer import Answer, Cells, DateValue, Quantity, Refusal, Result, Truth, Value
from pincite.types.citation import Citation, HighlightBox
from pincite.verifying import check_bundle

CASES: Final = Path(__file__).parent.parent / "cases"
#: What the case files call a reason, and what pincite calls it.
REASONS: Final = {
    "unreadable_text_layer": "unreadable",
    "page_not_readable": "unreadable",
    "page_does_not_exist": "not_found",
}


@dataclass(frozen=True)
class Expected:
    """A question of a case, the documents it is limited to, and what is wanted."""

    case_id: str
    question: str
    wanted: Mapping[str, Any] = field(hash=False)
    docs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What a test report shows."""
        return " ".join((self.case_id.split("-")[0], *self.docs, self.question))


def case_file(case_id: str) -> Mapping[str, Any]:
    """Return the case file of a case."""
    case: Mapping[str, Any] = json.loads((CASES / case_id / "case.json").read_text(encoding="utf-8"))
    return case


def expected_of(case_id: str) -> Iterator[Expected]:
    """Yield every question of a case that has an answer, a refusal or an error."""
    case = case_file(case_id)
    wanted = case["expected"]
    if case["question"] and wanted["type"] in ("answer", "refusal", "answer_or_refusal", "highlight"):
        for docs in _each_document(case):
            yield Expected(case_id, case["question"], wanted, docs)
    listed = [*wanted.get("questions_and_answers", ()), *wanted.get("also", ())]
    listed += [wanted[key] for key in ("question_answer", "also_answerable") if key in wanted]
    for one in listed:
        docs = tuple(filter(None, [one.get("filter", {}).get("doc")]))
        yield Expected(case_id, one.get("q") or case["question"], one, docs)
    for name, one in wanted.get("files", {}).items():
        if "answer_contains" in one and (one.get("q") or case["question"]):
            yield Expected(case_id, one.get("q") or case["question"], {"doc": name, **one})


def _each_document(case: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return one scope for each file where a case tests its files one at a time, else everything."""
    one_at_a_time = case["expected"]["type"] == "highlight" or "one at a time" in case["expected"].get("doc", "")
    return [(name,) for name in case["inputs"]] if one_at_a_time else [()]


def outcome(library: Library, expected: Expected) -> list[str]:
    """Ask the question and return everything that is not as wanted; nothing means that all is well."""
    try:
        result = library.ask(expected.question, docs=expected.docs)
    except PinciteError as error:
        wanted_code = expected.wanted.get("error_code")
        return [] if error.code == wanted_code else [f"raised {error.code}: {error}"]
    return [*problems(result, expected.wanted), *broken_promises(library, result)]


def problems(result: Result, wanted: Mapping[str, Any]) -> list[str]:
    """Return what of `wanted` a result does not give."""
    if wanted.get("expected") == "error":
        return [f"no error, but {said(result)!r}"]
    if wanted.get("expected") == "refusal" or wanted.get("type") == "refusal":
        return list(_refusal_problems(result, wanted))
    if isinstance(result, Refusal):
        if wanted.get("type") == "answer_or_refusal":
            told = f"{result.message} {result.signals.caveats}"
            return [] if wanted["else_refusal_mentions"] in told else [f"the refusal says only {told!r}"]
        return [f"refused ({result.reason}, confidence {result.signals.confidence}): {result.message}"]
    return [*_text_problems(result, wanted), *_place_problems(result, wanted), *_note_problems(result, wanted)]


def _refusal_problems(result: Result, wanted: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(result, Answer):
        yield f"answered {said(result)!r} (confidence {result.signals.confidence})"
        return
    reason = wanted.get("reason")
    if reason is not None and result.reason != REASONS[reason]:
        yield f"the reason is {result.reason}, not {REASONS[reason]}"
    page = wanted.get("refusal_must_mention_page")
    if page is not None and f"page {page}" not in result.message:
        yield f"page {page} is not named: {result.message}"
    for text in wanted.get("answer_must_not_contain", ()):
        if text in result.message:
            yield f"the refusal says {text!r}"


def said(result: Result) -> str:
    """Return what an answer says in its own words: the texts and values of its items, without quotes."""
    if isinstance(result, Refusal):
        return f"refusal: {result.message}"
    return " | ".join(f"{item.text} ({_shown(item.value)})" if item.value else item.text for item in result.items)


def _shown(value: Value) -> str:
    match value:
        case Quantity():
            return " ".join(filter(None, (value.number, value.scale, value.unit, value.currency)))
        case DateValue():
            return f"{value.iso} {value.original}"
        case Truth():
            return "yes" if value.value else "no"
        case Cells():
            return ", ".join(value.cells)


def _holds(text: str, part: str) -> bool:
    return fold(part).text.casefold() in fold(text).text.casefold()


def _text_problems(answer: Answer, wanted: Mapping[str, Any]) -> Iterator[str]:
    text = said(answer)
    for part in wanted.get("answer_contains", ()):
        if not _holds(text, part):
            yield f"{part!r} is not in {text!r}"
    parts = wanted.get("answer_contains_any", ())
    if parts and not any(_holds(text, part) for part in parts):
        yield f"none of {parts} is in {text!r}"
    for part in wanted.get("answer_must_not_contain", ()):
        if _holds(text, part):
            yield f"{part!r} is in {text!r}"
    names = wanted.get("set_equals")
    if names is not None:
        held = [next((name for name in names if name in item.text), item.text) for item in answer.items]
        if sorted(held) != sorted(names):
            yield f"the items are {held}, not {names}"


def _place_problems(answer: Answer, wanted: Mapping[str, Any]) -> Iterator[str]:
    cited = [citation for item in answer.items for citation in item.citations]
    if not any(_fits(citation, wanted) for citation in cited):
        places = [f"{c} {c.section} {c.quote!r}" for c in cited]
        yield f"no citation stands at the place and quotes the text wanted: {places}"
    only = wanted.get("must_cite_only")
    if only is not None and {c.doc_name for c in cited} != set(only):
        yield f"cited are {sorted({c.doc_name for c in cited})}"
    for part in wanted.get("text_must_not_contain_in_quote", ()):
        if any(part in c.quote for c in cited):
            yield f"{part!r} is quoted"


def _fits(citation: Citation, wanted: Mapping[str, Any]) -> bool:
    doc = wanted.get("doc")
    is_name = doc is not None and "one at a time" not in doc
    spans = wanted.get("spans", ())
    tests = [
        citation.doc_name == doc if is_name else True,
        wanted.get("page") in (None, citation.page),
        wanted.get("page_label") in (None, citation.page_label),
        "line" not in wanted or citation.first_line <= wanted["line"] <= citation.last_line,
        wanted.get("line_start") in (None, citation.first_line),
        wanted.get("line_end") in (None, citation.last_line),
        tuple(wanted.get("heading_path", citation.section)) == citation.section,
        not spans or (citation.page, citation.last_page) == (spans[0]["page"], spans[-1]["page"]),
        "quote" not in wanted or _quotes(citation, wanted["quote"]),
        "box" not in wanted or any(_covers(box, wanted["box"]) for box in citation.boxes),
        citation.layer == "form" if "box" in wanted else True,
    ]
    return all(tests)


def _quotes(citation: Citation, quote: str) -> bool:
    return any(True for _ in QuoteFinder(citation.quote.split("\n"), markdown=True).find(quote))


def _covers(highlight: HighlightBox, wanted: list[float]) -> bool:
    """Say whether a box touches one that is given in the PDF's own space, where y grows upwards."""
    x0, y0, x1, y1 = highlight.box
    top, bottom = highlight.height_pt - wanted[3], highlight.height_pt - wanted[1]
    return x0 < wanted[2] and wanted[0] < x1 and y0 < bottom and top < y1


def _note_problems(answer: Answer, wanted: Mapping[str, Any]) -> Iterator[str]:
    if "should_mention" in wanted:
        told = " ".join(answer.signals.caveats)
        hours = [word for word in wanted["should_mention"].split() if ":" in word]
        missing = [hour for hour in hours if hour not in told]
        if missing:
            yield f"the caveats do not say {missing}: {told!r}"


def broken_promises(library: Library, result: Result) -> list[str]:
    """Return which promises that hold for every result are broken by this one."""
    if isinstance(result, Refusal):
        return [f"a refusal of {result.question!r} with confidence above 1"] if result.signals.confidence > 1 else []
    broken = [] if result.items else ["an answer without items"]
    for item in result.items:
        if not item.citations:
            broken.append(f"{item.text!r} has no citation")
        for citation in item.citations:
            broken.extend(_broken_by(citation, library))
    checked = check_bundle(library.bundle(result.trace_id))
    return broken + [f"the bundle does not hold at {c.place}: {c.reason}" for c in checked if not c.holds]


def _broken_by(citation: Citation, library: Library) -> Iterator[str]:
    document = library.document(citation.doc_id)
    lines = [document.lines[line_id - 1] for line_id in citation.line_ids]
    if citation.verdict.status not in ("verified", "repaired"):
        yield f"{citation} is {citation.verdict.status}"
    if citation.page is None or not 1 <= citation.page <= len(document.pages):
        yield f"{citation} is on page {citation.page} of {len(document.pages)}"
    if (lines[0].line_num, lines[-1].line_num) != (citation.first_line, citation.last_line):
        yield f"{citation} has other line numbers than its lines"
    parts = citation.quote.split("\n")
    if len(parts) != len(lines) or any(part not in line.text for part, line in zip(parts, lines, strict=False)):
        yield f"{citation} does not quote its lines character by character"
    if any(line.layer == "hidden" for line in lines):
        yield f"{citation} quotes text that nobody can see"


def expected_of_family(*prefixes: str) -> list[Expected]:
    """Return every question of the cases whose ids begin with one of `prefixes`."""
    ids = sorted(folder.name for folder in CASES.iterdir() if folder.name.startswith(prefixes))
    return [expected for case_id in ids for expected in expected_of(case_id)]
