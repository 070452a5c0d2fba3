"""Counts and lists over a set of like records: all of it read, each record tested, each one given with its lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pincite.answering.called import called_records
from pincite.answering.conditions import (
    Condition,
    Statement,
    Wanted,
    compares,
    condition,
    content_terms,
    has_field,
    holding,
    statements,
)
from pincite.answering.like_records import LikeRecord, RecordSet
from pincite.answering.records import find_records
from pincite.answering.stated import is_stated_elsewhere, shared_terms, stated_counts
from pincite.answering.units import Unit
from pincite.text.amounts import NUMBER_WORDS
from pincite.text.sets import AskedSet, Noun, asked_set
from pincite.types.answer import Derivation, Draft, DraftItem, Quantity
from pincite.types.question import GenerationBrief

#: How sure a set is by how it was found: named by its own records, by a title, by the name of a file.
_SURE: Final = {3: 0.95, 2: 0.9, 1: 0.75}


#: A name that brings its own acronym is given without it: "Govern (GV)".
_ACRONYM: Final = re.compile(r"(?<=\w)\s*\([A-Z][A-Z.-]{0,7}\)$")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A record that meets the condition, and the unit that says so (its own head when nothing is asked of it)."""

    record: LikeRecord
    unit: Unit


def draft_of_records(brief: GenerationBrief, units: Sequence[Unit]) -> Draft | None:
    """Return the count or list of the records that a question asks for.

    `None` when it asks for no set, when no set of that name was read, and where a list has no condition and the
    set is one list of the document: that is read as it stands.
    """
    asked = asked_set(brief.question)
    if asked is None or brief.shape not in ("list", "amount", "text") or (asked.counts and brief.shape == "list"):
        return None
    found = find_records(asked.nouns, units)
    if found is None or (asked.counts and not _is_counted(asked, found)):
        return None
    wanted = condition(_without_number(asked, found.noun), found.noun)
    said = [tuple(statements((r.head, *r.body))) for r in found.records]
    asked_for = wanted.wanted
    wanted, unheld, notes = _of_records(wanted, found, said, units)
    if not asked.counts and not wanted and (_is_one_list(found) or found.strength < 3):
        return None
    if wanted.is_unread or any(all(compares(c, s)[0] is None for s in said) for c in wanted.comparisons):
        return None if found.strength < 3 else _not_understood(brief, found)
    if unheld:
        # What no record speaks of is met by none; two such words say that the question is about something else.
        is_meant = len(wanted.wanted) == 1 and found.noun == asked.nouns[0]
        return _none(asked, found, wanted, units) if is_meant else None
    titled = _said_by_titles(wanted, found, said)
    chosen = [c for r, s in zip(found.records, said, strict=True) if (c := _meeting(wanted, r, s, titled)) is not None]
    if not chosen:
        return _none(asked, found, wanted, units)
    if asked.counts:
        passed = [w for w in asked_for if w not in wanted.wanted]
        if is_stated_elsewhere(passed, found, units) and not stated_counts(found, wanted, units):
            return None
        return _count(found, wanted, chosen, units, notes)
    if not wanted:
        named = called_records(found, units)
        chosen = chosen if named is found else [Chosen(record, record.head) for record in named.records]
    return _list(brief, found, chosen, notes)


def _is_counted(asked: AskedSet, found: RecordSet) -> bool:
    """Say whether a set may be what is counted: sections on attention are no "attention heads"."""
    is_many = len(found.records) > 1 or found.kind == "blocks"
    return is_many and (found.noun == asked.nouns[0] or found.strength == max(_SURE))


def _is_one_list(found: RecordSet) -> bool:
    return found.kind == "items" and len({(*r.head.section_key, r.head.lead) for r in found.records}) == 1


def _without_number(asked: AskedSet, noun: Noun) -> str:
    """Return what is asked beside the noun, without how many there are: "the four tiers" are no tiers that say four."""
    if asked.counts:
        return asked.rest
    number = "|".join((r"\d{1,3}", *(w for w in NUMBER_WORDS if len(w) > 2)))
    return re.sub(
        rf"\b(?:{number})\s+(?=(?:[\w-]+\s+){{0,3}}{re.escape(noun.word)}\b)", "", asked.rest, flags=re.IGNORECASE
    )


def _of_records(
    wanted: Condition, found: RecordSet, said: Sequence[tuple[Statement, ...]], units: Sequence[Unit]
) -> tuple[Condition, list[Wanted], tuple[str, ...]]:
    """Return the condition without the words that say where the set is ("in the register"), and notes on it.

    The second value are the words that are left and that no record holds.

    A word that no record holds is passed over only if it links to one that some do ("written by Person 3") or names
    a whole that the document speaks of ("of the fleet"), and then that is said.
    """
    shared = shared_terms(found)
    held = {w: any(holding(w, s)[0] != "absent" or _stands_in(w, r) for r, s in zip(found.records, said, strict=True))
            for w in wanted.wanted}  # fmt: skip
    elsewhere = _terms_elsewhere(found, units)
    kept: list[Wanted] = []
    notes: list[str] = []
    for number, one in enumerate(wanted.wanted):
        later = any(held[w] for w in wanted.wanted[number + 1 :]) or wanted.comparisons
        if held[one]:
            if one.terms & shared and all(holding(one, s)[0] != "denied" for s in said) and _is_place(one, said):
                continue
            kept.append(one)
        elif one.terms & shared:
            continue
        elif (one.is_linking and later) or (one.is_placed and one.terms & elsewhere):
            notes.append(f"“{one.surface}” stands in none of them and was passed over")
        else:
            kept.append(one)
    unheld = [one for one in kept if not held[one]]
    comparisons = tuple(c if has_field(c, said) else replace(c, field=frozenset()) for c in wanted.comparisons)
    return Condition(tuple(kept), comparisons, wanted.is_unread), unheld, tuple(notes)


def _terms_elsewhere(found: RecordSet, units: Sequence[Unit]) -> frozenset[str]:
    """Return the terms of the documents of the set outside its records."""
    own = {u for r in found.records for u in (r.head, *r.body)}
    documents = {r.head.doc_id for r in found.records}
    outside = [u for u in units if u.doc_id in documents and u not in own and u.kind != "mark"]
    return frozenset(t for u in outside for t in (*u.terms, *u.heading_terms))


def _is_place(one: Wanted, said: Sequence[tuple[Statement, ...]]) -> bool:
    """Say whether a word of the set's own title tells its records apart no further: all hold it, or none."""
    n_held = sum(holding(one, s)[0] == "affirmed" for s in said)
    return n_held in (0, len(said))


def _stands_in(one: Wanted, record: LikeRecord) -> bool:
    """Say whether a word is among the titles that a record stands under: "the sensors on the ground floor"."""
    return bool(one.terms & content_terms(" ".join(record.context)))


def _said_by_titles(wanted: Condition, found: RecordSet, said: Sequence[tuple[Statement, ...]]) -> frozenset[Wanted]:
    """Return the words that titles say of records: not the title of all where some records say it themselves."""
    shared = shared_terms(found)
    return frozenset(
        one for one in wanted.wanted if not one.terms & shared or all(holding(one, s)[0] == "absent" for s in said)
    )


def _meeting(
    wanted: Condition, record: LikeRecord, said: Sequence[Statement], titled: frozenset[Wanted]
) -> Chosen | None:
    unit = record.head
    for one in wanted.wanted:
        held, where = holding(one, said)
        if held == "absent" and one in titled and _stands_in(one, record):
            held = "affirmed"
        if (held == "affirmed") == one.is_denied:
            return None
        unit = where if where is not None and (unit is record.head or not one.is_number) else unit
    for comparison in wanted.comparisons:
        is_inside, where = compares(comparison, said)
        if not is_inside:
            return None
        unit = where or unit
    return Chosen(record, unit)


def _list(brief: GenerationBrief, found: RecordSet, chosen: Sequence[Chosen], notes: tuple[str, ...]) -> Draft:
    items = tuple(
        DraftItem(
            text=_ACRONYM.sub("", c.record.name),
            quotes=tuple(u.quote() for u in dict.fromkeys((c.record.head, c.unit))),
        )
        for c in chosen
    )
    return Draft(
        shape="list",
        items=items,
        summary=brief.question,
        confidence=_SURE[found.strength],
        caveats=(_all_read(found), *notes),
        selected_from=len(found.records),
    )


def _all_read(found: RecordSet) -> str:
    where = {"sections": "sections named alike", "files": "files named alike", "rows": "rows of the table",
             "items": "items of the list", "lines": "lines that begin alike",
             "blocks": "paragraphs or items of like parts"}[found.kind]  # fmt: skip
    return f"all {len(found.records)} {where} were read"


def _count(
    found: RecordSet, wanted: Condition, chosen: Sequence[Chosen], units: Sequence[Unit], notes: tuple[str, ...]
) -> Draft:
    noun, number = found.noun.word, str(len(chosen))
    caveats = (_all_read(found), *notes)
    stated = stated_counts(found, wanted, units)
    agreeing = next((unit for unit, said in stated if said == number), None)
    if agreeing is not None:
        item = DraftItem(text=f"{number} {noun}", value=Quantity(number=number, unit=noun), quotes=(agreeing.quote(),))
        return Draft(shape="amount", items=(item,), confidence=_SURE[found.strength], caveats=caveats)
    if stated:
        unit, said = stated[0]
        place = f"{unit.line.doc_name} l.{unit.line.line.line_num}"
        caveats = (*caveats, f"the text states {said} {noun} ({place}), {number} were counted")
    item = DraftItem(
        text=number,
        value=Quantity(number=number, unit=noun),
        quotes=tuple(c.unit.quote() for c in chosen),
        derivation=Derivation(operator="count", operands=tuple(c.record.name for c in chosen)),
    )
    return Draft(
        shape="amount",
        items=(item,),
        confidence=_SURE[found.strength],
        caveats=caveats,
        extraction_method="computed",
        selected_from=len(found.records),
    )


def _none(asked: AskedSet, found: RecordSet, wanted: Condition, units: Sequence[Unit]) -> Draft | None:
    """Return a refusal that says that none of the records is so; where the text itself gives a number, `None`."""
    is_surely_meant = found.strength == 3 or (asked.counts and found.strength == 2)
    if not is_surely_meant or (asked.counts and stated_counts(found, wanted, units)):
        return None
    reason = f"None of the {len(found.records)} {found.noun.word} that were read says “{wanted.surface}”."
    return Draft(shape="amount" if asked.counts else "list", items=(), reason=reason)


def _not_understood(brief: GenerationBrief, found: RecordSet) -> Draft:
    reason = f"The question compares the {len(found.records)} {found.noun.word} in a way that is not understood."
    return Draft(shape=brief.shape, items=(), reason=reason)
