"""Answers from the source's own sentences, list items and cells: no model, no network, no key."""

from collections.abc import Sequence
from typing import Final

from pincite.answering.answers_below import answer_below
from pincite.answering.asked import Asked, asked
from pincite.answering.cells import cell_answer, fitting_rows
from pincite.answering.choices import as_choice, stated_choice
from pincite.answering.conditions import content_terms
from pincite.answering.confidence import Confidence, is_latin
from pincite.answering.contacts import contact_answer
from pincite.answering.documented import documented
from pincite.answering.facts import Fact, amount_in
from pincite.answering.lists import FoundList, asks_for_many, best_list, items_alike, labelled_list
from pincite.answering.pairs import labelled_meaning, pair_answer
from pincite.answering.scoring import Fits, Scored, score_units
from pincite.answering.selecting import draft_of_records
from pincite.answering.setting import setting_answer
from pincite.answering.sides import compared_in_words
from pincite.answering.tables import views
from pincite.answering.tabular import drafted, from_cell, from_tables
from pincite.answering.times import date_in, has_date, time_told
from pincite.answering.truths import status_in, truth_in
from pincite.answering.units import BULLET, Unit, read_units
from pincite.answering.who_rows import who_rows
from pincite.protocols import Embedder, Reranker
from pincite.types.answer import Draft, DraftItem, Value
from pincite.types.question import GenerationBrief, Shape
from pincite.types.source import ReadingLine

#: Shapes that need tables read as tables: a text answer is given in their place, and says so.
_FALLBACK: Final[dict[Shape, str]] = {
    "table": "asked for a table: answered with the sentences that say it",
    "comparison": "asked for a comparison: answered with the sentences that say it",
}
_NO_WORD: Final = "The question holds no word to look for."
#: A lower unit may hold the fact when it scores at least this share of the best.
_NEARLY_AS_GOOD: Final = 0.65
#: How sure a list is whose label says what was asked, and nothing else.
_LABELLED: Final = 0.85
#: How many sentences of a page are given when only the page was named.
PAGE_SENTENCES: Final = 12


class ExtractiveAnswerer:
    """Fills the contract from the lines themselves."""

    def __init__(self, embedder: Embedder | None = None, *, closeness: Reranker | None = None) -> None:
        """Compare by meaning with `embedder`, and the best unit once more with `closeness`; without them by words."""
        self._embedder = embedder
        self._closeness = closeness

    def answer(self, brief: GenerationBrief, lines: Sequence[ReadingLine]) -> Draft:
        """Return a draft whose every item quotes `lines`; its confidence says how likely it is an answer at all."""
        units = read_units(lines)
        if not units:
            return Draft(shape=brief.shape, items=(), reason="there was nothing to read")
        if not brief.keywords:
            return _read_out(brief, units) if brief.reads_page else Draft(shape=brief.shape, items=(), reason=_NO_WORD)
        chosen = stated_choice(brief, units)
        if chosen is not None:
            return as_choice(self.answer(chosen, lines))
        told = documented(brief, lines) or setting_answer(brief, lines)
        if told is not None:
            return told
        question = asked(brief, units)
        below = answer_below(brief, question, units) or labelled_meaning(brief, units) or contact_answer(brief, units)
        if below is not None:
            return below
        structured = _from_structure(brief, question, units)
        if structured is not None:
            return structured
        units = fitting_rows(brief, units)
        status = status_in(units, brief)
        if status is not None:
            item = _item(status[1].text, (status[0],), value=status[1].value)
            return Draft(shape="boolean", items=(item,), confidence=0.9)
        scored = score_units(
            brief,
            question,
            units,
            fits=_fits(brief, question),
            embedder=self._embedder,
            closeness=self._closeness if is_latin(brief.question) else None,
        )
        if not scored:
            return Draft(shape=brief.shape, items=(), reason=_nothing_about(brief))
        sure = Confidence(brief.question, self._closeness)
        sides = compared_in_words(brief, scored, sure)
        if sides is not None:
            return sides
        if brief.shape == "list":
            return _list(brief, question, units, scored, sure)
        return _fact(brief, question, units, scored, sure)


def _from_structure(brief: GenerationBrief, question: Asked, units: Sequence[Unit]) -> Draft | None:
    """Return what tables, cells and sets of like records answer, the surest first."""
    tables = views(units)
    tabular = from_tables(brief, tables)
    if tabular is not None:
        return tabular
    cell = from_cell(brief, tables)
    if cell is not None and cell.items:
        return cell
    rows = who_rows(brief, tables)
    if rows is not None:
        return rows
    table = cell_answer(brief, question, units)
    if table is None or table.is_empty:
        beside = pair_answer(brief, units)
        if beside is not None:
            return beside
    if table is not None:
        return drafted(brief, table, tables)
    records = cell if cell is not None else draft_of_records(brief, units)
    return records if records is not None else _labelled(brief, question, units)


def _labelled(brief: GenerationBrief, question: Asked, units: Sequence[Unit]) -> Draft | None:
    """Return the list whose label is all that is asked for: "Present:" where the question is who was present."""
    if brief.shape not in ("text", "list"):
        return None
    found = labelled_list(question, units)
    if found is None:
        return None
    items = tuple(_item(i.text, i.units) for i in found.items)
    return Draft(shape="list", items=items, summary=brief.question, confidence=_LABELLED)


def _nothing_about(brief: GenerationBrief) -> str:
    names = ", ".join(f"“{name}”" for name in brief.must_distinguish)
    return f"No line that was read is about {names}." if names else "No line that was read answers this."


def _fits(brief: GenerationBrief, question: Asked) -> Fits:
    """Return the test of whether a unit holds the kind of thing asked for."""
    if brief.shape == "amount":
        return lambda unit: amount_in(unit, brief, question) is not None
    if brief.shape == "date":
        return has_date
    return lambda _: True


def _read_out(brief: GenerationBrief, units: Sequence[Unit]) -> Draft:
    """Return what stands at the place that was asked for: a table cell by cell, all else sentence by sentence."""
    table = from_tables(brief, views(units)) if brief.shape == "table" else None
    if table is not None and table.items:
        return table
    said = [u for u in units if u.kind != "mark"] or list(units)
    items = tuple(_item(u.text, (u,)) for u in said[:PAGE_SENTENCES])
    caveats = (f"it goes on: the first {PAGE_SENTENCES} of {len(said)}",) if len(said) > PAGE_SENTENCES else ()
    return Draft(shape="text", items=items, confidence=1.0, caveats=caveats)


def _list(
    brief: GenerationBrief, question: Asked, units: Sequence[Unit], scored: Sequence[Scored], sure: Confidence
) -> Draft:
    found: FoundList | None = best_list(brief, question, units, scored)
    if found is None:
        return Draft(shape="list", items=(), reason=_nothing_about(brief), confidence=sure.of(scored[0]))
    items = tuple(_item(i.text, i.units) for i in found.items)
    caveats = (found.caveat,) if found.caveat else ()
    said = {u for item in found.items for u in item.units}
    sections = {u.section_key for u in said} if found.origin == "sentences" else set()
    bearing = [s for s in scored if s.unit in said or s.unit.text == found.lead or s.unit.section_key in sections]
    likely = sure.of((bearing or scored)[0])
    return Draft(shape="list", items=items, summary=brief.question, confidence=likely, caveats=caveats)


def _fact(
    brief: GenerationBrief, question: Asked, units: Sequence[Unit], scored: Sequence[Scored], sure: Confidence
) -> Draft:
    shape = brief.shape
    caveats = (_FALLBACK[shape],) if shape in _FALLBACK else ()
    best, fact = _best_fact(brief, question, units, scored)
    if fact is None:
        reason = f"No line that was read states {_kind(shape)} for this."
        return Draft(shape=shape, items=(), reason=reason, confidence=sure.of(best))
    if shape == "text" and best.unit.kind == "heading":
        below = _below(best.unit, units, brief.question)
        if below is not None:
            return Draft(shape=shape, items=(_item(below.text, (below,)),), confidence=sure.of(best), caveats=caveats)
    alike = items_alike(best, scored) if shape == "text" and asks_for_many(brief.question) else []
    if len(alike) > 1:
        items = tuple(_item(BULLET.sub("", s.unit.text).strip(), (s.unit,)) for s in alike)
        return Draft(shape="list", items=items, summary=brief.question, confidence=sure.of(best))
    introduced = [u for u in units if u.kind == "item" and u.lead == best.unit.text]
    if shape == "text" and best.unit.text.endswith((":", "：")) and introduced:
        items = tuple(_item(BULLET.sub("", u.text).strip(), (u,)) for u in introduced)
        return Draft(shape="list", items=items, summary=brief.question, confidence=sure.of(best))
    text = fact.text if fact.is_sure else best.unit.text
    item = _item(text, (best.unit,), value=fact.value)
    other = _conflict(brief, question, units, scored, best, fact)
    shown: Shape = "text" if shape in _FALLBACK or (fact.value is None and shape in ("amount", "date")) else shape
    inferred = shape == "boolean" and best.unit.kind != "form"
    if inferred:
        caveats = (*caveats, "yes or no was inferred from the sentence quoted: read it before relying on it")
    return Draft(
        shape=shown,
        items=(item, other) if other else (item,),
        confidence=sure.of(best),
        caveats=(*caveats, "the sources disagree: both are shown") if other else caveats,
        conflicting_evidence=other is not None,
        extraction_method="inferred" if inferred else "verbatim",
    )


def _below(heading: Unit, units: Sequence[Unit], question: str) -> Unit | None:
    """Return the sentence right below a heading that only repeats words of the question."""
    if content_terms(heading.text) - content_terms(question.strip("¿ ?!.")):
        return None
    after = next((u for u in units if u.order > heading.order and u.kind != "mark"), None)
    is_its = after is not None and after.kind == "sentence" and after.section_key == heading.section_key
    return after if is_its else None


#: Another unit contradicts the best one when it says as much of the question, at least this score's share.
_AS_GOOD: Final = 0.93
_AS_GOOD_IN_ONE: Final = 0.98


def _conflict(
    brief: GenerationBrief, question: Asked, units: Sequence[Unit], scored: Sequence[Scored], best: Scored, fact: Fact
) -> DraftItem | None:
    """Return what another place says instead, where it answers as well and gives another value."""
    if fact.value is None or not fact.is_sure or brief.shape not in ("amount", "date"):
        return None
    for one in scored:
        if one.score < _AS_GOOD * best.score:
            return None
        nearer = _AS_GOOD_IN_ONE if one.unit.doc_id == best.unit.doc_id else _AS_GOOD
        if one.unit is best.unit or one.own < best.own or one.unmet or one.score < nearer * best.score:
            continue
        other = _fact_in(brief, question, units, one.unit)
        if other is not None and other.is_sure and other.value is not None and other.value != fact.value:
            return _item(other.text, (one.unit,), value=other.value)
    return None


def _kind(shape: Shape) -> str:
    return {"amount": "an amount", "date": "a date", "boolean": "it"}.get(shape, "anything")


def _best_fact(
    brief: GenerationBrief, question: Asked, units: Sequence[Unit], scored: Sequence[Scored]
) -> tuple[Scored, Fact | None]:
    """Return the best unit that holds the kind of thing asked for, among those nearly as good as the best."""
    best = scored[0]
    for one in scored:
        if one.score < _NEARLY_AS_GOOD * best.score:
            break
        fact = _fact_in(brief, question, units, one.unit)
        if fact is not None and not (brief.shape == "text" and _only_announces(one.unit, units)):
            return one, fact
    return best, None


def _only_announces(unit: Unit, units: Sequence[Unit]) -> bool:
    """Say whether a unit says nothing itself: column names, or a text that ends in a colon, and no list is below."""
    line = unit.line
    if line.cells and line.cells == line.header and any(u.line.header == line.header for u in units if u is not unit):
        return True
    is_open = unit.text.endswith((":", "：")) and unit.kind in ("sentence", "heading")
    return is_open and not any(u.kind == "item" and u.lead == unit.text for u in units)


def _fact_in(brief: GenerationBrief, question: Asked, units: Sequence[Unit], unit: Unit) -> Fact | None:
    if brief.shape == "amount":
        fact = amount_in(unit, brief, question)
        if fact is not None and brief.counts and unit.kind == "row":
            return None  # a number in a row counts nothing; rows are counted as records or not at all
        return fact
    if brief.shape == "date":
        document = "\n".join(u.text for u in units if u.doc_id == unit.doc_id)
        return date_in(unit, brief, question, document_text=document) or time_told(unit, question)
    if brief.shape == "boolean":
        return truth_in(unit, brief)
    return Fact(text=unit.text, value=None)


def _item(text: str, units: Sequence[Unit], *, value: Value | None = None) -> DraftItem:
    return DraftItem(text=text, quotes=tuple(u.quote() for u in units), value=value)
