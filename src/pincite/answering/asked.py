"""What a question asks for, as terms with weights, and how much of it a unit holds."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answering.denials import denies, has_denying_twin, is_negated, opposite_stems
from pincite.answering.measures import measure_of
from pincite.answering.musts import must_patterns
from pincite.answering.near_misses import is_of_another_year
from pincite.answering.others import compounds_in, has_compound, has_compound_twin, is_about_another, named_in
from pincite.answering.pointing import points_back
from pincite.answering.spelt import forms_of
from pincite.answering.subjects import focus_of, names_in, rare_share, subjects_of
from pincite.answering.twins import names_twin
from pincite.answering.units import BULLET, Unit
from pincite.text.kinds import kinds
from pincite.text.stopwords import FORM, WEAK
from pincite.text.tokens import index_terms, is_stop_term, token_terms
from pincite.types.question import GenerationBrief

#: What a term counts for by where it stands: in the unit, its headings, its lead-in, the sentence before (more
#: where the unit points back to that sentence: "It …", "Then …").
OWN, HEADING, LEAD, BEFORE, POINTED_AT = 1.0, 0.8, 0.8, 0.35, 0.7
#: What a member of a kind counts for where the question names the kind: "colour" and "violet".
MEMBER: Final = 0.85
#: How much a word counts that a question needs for its grammar.
WEAK_WEIGHT: Final = 0.3
VARIANT: Final = 0.4
#: Sums of money that no other sum is.
_SUMS: Final = frozenset(
    token_terms(word)[0] for word in "rent salary wage fine penalty deposit miete gehalt loyer".split()
)
#: What any sum of money may be called.
_PAYING: Final = frozenset(
    token_terms(word)[0] for word in "cost price charge pay worth amount value kosten preis prix".split()
)
_ROW_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """One word of the question: its index terms with weights (the word itself 1), and what finding it says.

    `stands_for` are the index terms of the question's own words that it is another form of.
    """

    surface: str
    terms: Mapping[str, float]
    value: float
    is_own_word: bool
    is_weak: bool = False
    members: frozenset[str] = frozenset()
    opposites: frozenset[str] = frozenset()
    stands_for: frozenset[str] = frozenset()

    @property
    def said(self) -> frozenset[str]:
        """Its index terms without the single letters that an apostrophe leaves."""
        return frozenset(t for t in self.terms if len(t) > 1)


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of a question by how much they tell the units apart.

    `forms` are the index terms of an acronym and those of its long form: who has all of one has said the other.
    `is_focus_told` says that some unit has the very word for the thing asked for.
    """

    terms: tuple[AskedTerm, ...]
    must: tuple[re.Pattern[str], ...]
    names: tuple[frozenset[str], ...] = ()
    is_negated: bool = False
    focus: frozenset[str] = frozenset()
    subjects: tuple[frozenset[str], ...] = ()
    known: frozenset[str] = frozenset()
    of_others: frozenset[str] = frozenset()
    question: str = ""
    forms: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    is_focus_told: bool = False

    @property
    def total(self) -> float:
        """What finding all words of the question itself would say."""
        return sum(t.value for t in self.terms if t.is_own_word)

    def coverage(self, unit: Unit) -> float:
        """Return the share (0–1) of the question that the unit and what introduces it hold."""
        return self._coverage(
            (
                (unit.terms | unit.measures, OWN),
                (unit.heading_terms, HEADING),
                (unit.context_terms, LEAD),
                (unit.before_terms, POINTED_AT if points_back(unit) else BEFORE),
            )
        )

    def own_coverage(self, unit: Unit) -> float:
        """Return the share (0–1) of the question that the unit's own words hold."""
        return self._coverage(((unit.terms | unit.measures, OWN),))

    def coverage_of(self, terms: frozenset[str]) -> float:
        """Return the share (0–1) of the question that a set of index terms holds."""
        return self._coverage(((terms, OWN),))

    def _coverage(self, places: Sequence[tuple[frozenset[str], float]]) -> float:
        if not self.total:
            return 0.0
        found = 0.0
        lacking: list[tuple[AskedTerm, float]] = []
        forms: dict[frozenset[str], float] = defaultdict(float)
        for term in self.terms:
            best = max((w * p for held, p in places for t, w in term.terms.items() if t in held), default=0.0)
            if term.stands_for:
                forms[term.stands_for] += term.value * best
                continue
            found += term.value * best
            if term.is_own_word:
                lacking.append((term, term.value * (1 - min(1.0, best))))
        # Another form of a word stands in for that word where it is missing, and for no other.
        for stands_for, held_value in forms.items():
            missing = sum(value for term, value in lacking if stands_for & set(term.terms))
            found += min(held_value, missing)
        return min(1.0, found / self.total)

    def adds_to(self, unit: Unit) -> bool:
        """Say whether the unit says anything that the question does not say itself."""
        own = [term for term in self.terms if term.is_own_word]
        # "What is PPE?" is answered by its long form, which is known to any other question.
        asked_for = own if sum(not term.is_weak for term in own) == 1 else self.terms
        known = {t for term in asked_for for t, weight in term.terms.items() if weight != MEMBER}
        return any(t not in known and not is_stop_term(t) for t in unit.terms)

    def is_distinguished(self, unit: Unit) -> bool:
        """Say whether the unit is about the very thing asked: every code and numbered name is there."""
        is_twin = names_twin(self.question, unit.text) or is_of_another_year(self.question, unit.text)
        return not is_twin and all(pattern.search(unit.said) for pattern in self.must)

    def missing_names(self, unit: Unit) -> int:
        """Return how many names of the question are nowhere in the unit and what introduces it.

        A name that stands all over the document is its subject: it need not stand in every sentence.
        """
        held = self._told(unit.terms | unit.heading_terms | unit.context_terms | unit.before_terms)
        return sum(not (name & held) for name in self.names)

    def missing_words(self, unit: Unit) -> int:
        """Return how many words of the question that matter are nowhere in the unit and what introduces it."""
        held = self._told(unit.terms | unit.measures | unit.heading_terms | unit.context_terms | unit.before_terms)
        wanted = [t for t in self.terms if t.is_own_word and not t.is_weak]
        # A word of the same sense, or of the opposite one, is about the same: "permitted" where "allowed" is asked.
        forms = [t for t in self.terms if t.stands_for and set(t.terms) & held]
        return sum(not (set(t.terms) & held or any(f.stands_for & set(t.terms) for f in forms)) for t in wanted)

    def says_opposite(self, unit: Unit) -> bool:
        """Say whether the unit holds the opposite of a word of the question, and not the word: "left" for "joined"."""
        own = unit.terms
        return any(own & t.opposites and not own & set(t.terms) for t in self.terms if t.is_own_word)

    def lacks_focus(self, unit: Unit) -> bool:
        """Say whether the very thing asked for ("the room of …") is named nowhere in the unit and around it."""
        held = unit.terms | unit.measures | unit.context_terms | unit.before_terms
        if self.focus & _SUMS or (self.is_focus_told and not self.focus & _PAYING):
            held = frozenset(term for term in held if not term.startswith("<"))  # no sum of money is "the rent"
        if unit.kind != "sentence":  # a row or an item says of what it is in its headings, a sentence by itself
            held |= unit.heading_terms
        return self._lacks(self.focus, self._told(held))

    def missing_subjects(self, unit: Unit) -> int:
        """Return how many of those asked about ("does sales close") are named elsewhere and not around here."""
        held = self._told(unit.terms | unit.heading_terms | unit.context_terms | unit.before_terms)
        return sum(self._lacks(subject, held) for subject in self.subjects)

    def lacks_what_others_do(self, unit: Unit) -> bool:
        """Say whether a word of the question is nowhere around here, and is said of others than those it names."""
        held = unit.terms | unit.heading_terms | unit.context_terms
        held |= unit.before_terms if points_back(unit) else frozenset()
        lacking = (t.said for t in self.terms if t.is_own_word and self.of_others & t.said)
        return any(not held & said for said in lacking)

    def knows(self, words: frozenset[str]) -> bool:
        """Say whether what was read uses these words, or nothing else can be called so: an answer is told in them."""
        return bool(words & (self.known | _SUMS))

    def _told(self, held: frozenset[str]) -> frozenset[str]:
        """Return what was said with the other form of each acronym that was said in one."""
        for short, long in self.forms:
            if short <= held or long <= held:
                held = held | short | long
        return held

    def _lacks(self, words: frozenset[str], held: frozenset[str]) -> bool:
        wanted = {t for term in self.terms if words & set(term.terms) for t in term.terms}
        return bool(wanted) and not wanted & held

    def is_labelled(self, unit: Unit) -> bool:
        """Say whether a unit is a value under a label whose every word is asked: "Rubbish: Thursdays"."""
        match = _LABELLED.match(BULLET.sub("", unit.text))
        if match is None:
            return False
        label = {t for w in match["label"].split() if w.lower() not in _TOPIC for t in token_terms(w)[:1]}
        label = {t for t in label if not is_stop_term(t)}
        return bool(label) and label <= {t for term in self.terms if term.is_own_word for t in term.terms}

    def is_labelled_otherwise(self, unit: Unit) -> bool:
        """Say whether a unit is a value under a label that is not asked for, and lacks a word that is.

        "Marriage: 2 days off" says nothing of a divorce.
        """
        match = _LABELLED.match(BULLET.sub("", unit.text))
        is_plain = match is not None and len(unit.text.split()) <= _SHORT_VALUE and unit.text.count(":") == 1
        if match is None or not is_plain or any(c.isdigit() for c in match["label"]) or not self.missing_words(unit):
            return False
        label = {t for w in match["label"].split() for t in token_terms(w) if not is_stop_term(t)}
        return bool(label) and not any(label & set(term.terms) for term in self.terms)

    def lacks_kind(self, unit: Unit) -> bool:
        """Say whether the question names a kind of thing ("colour") and the unit holds none of that kind."""
        return any(t.members and not t.members & unit.terms for t in self.terms if t.is_own_word)

    def holds_kind(self, unit: Unit) -> bool:
        """Say whether the question names a kind of thing ("day") and the unit holds one of that kind ("Sunday")."""
        return any(t.members & unit.terms for t in self.terms if t.is_own_word)

    def differs_in_negation(self, unit: Unit) -> bool:
        """Say whether only one of question and unit is a denial."""
        return self.is_negated != is_negated(unit.text)

    def is_denied_in(self, unit: Unit) -> bool:
        """Say whether the unit denies what the question takes for granted: "cannot open" where "can open" is asked."""
        own = {t for term in self.terms if term.is_own_word and not term.is_weak for t in term.terms}
        return not self.is_negated and denies(unit.text, own)

    def turns_round(self, unit: Unit) -> bool:
        """Say whether a word of the question and one of the unit differ by a prefix that denies: "independent"."""
        return has_denying_twin({t.surface.lower() for t in self.terms if t.is_own_word}, unit.text)

    def positions(self, text: str) -> list[tuple[int, float]]:
        """Return where words of the question stand in `text`, with what each says."""
        found = []
        for match in re.finditer(r"\S+", text):
            held = set(token_terms(match.group()))
            value = max((t.value for t in self.terms if held & set(t.terms)), default=0.0)
            if value:
                found.append((match.start(), value))
        return found


def asked(brief: GenerationBrief, units: Sequence[Unit]) -> Asked:
    """Return the words of a question, weighted by inverse frequency among the units that were read."""
    frequencies: dict[str, float] = defaultdict(float)
    n_units = 0.0
    for unit in units:
        # A hundred rows of one table or listing repeat a word no more than a few sentences do.
        share = _ROW_SHARE if unit.kind == "row" else 1.0
        n_units += share
        for term in unit.terms | unit.heading_terms:
            frequencies[term] += share
    made: list[AskedTerm] = []
    for keyword in brief.keywords:
        tokens = keyword.text.split()
        for token in tokens:
            terms = token_terms(token)
            if not terms or (len(tokens) > 1 and is_stop_term(terms[0])):
                continue
            weights = _weights(terms, frequencies)
            frequency = max((frequencies.get(t, 0.0) for t in weights), default=0.0)
            idf = math.log(1 + (n_units - frequency + 0.5) / (frequency + 0.5))
            own = keyword.origin in ("question", "correction")
            is_weak = token.lower() in WEAK or token.lower() in FORM
            value = keyword.weight * (WEAK_WEIGHT if is_weak else 1.0) * max(idf, 0.2) / math.sqrt(len(tokens))
            members = kinds().get(terms[0], frozenset())
            opposites = opposite_stems().get(terms[0], frozenset())
            stands_for = frozenset(index_terms(keyword.stands_for or ""))
            if len(tokens) == 1 and stands_for:
                # A word that stands in for another says what that one would, however often it is used itself.
                worth = max((t.value for t in made if t.is_own_word and stands_for & set(t.terms)), default=0.0)
                value = max(value, keyword.weight * worth)
            made.append(AskedTerm(token, weights, value, own, is_weak, members, opposites, stands_for))
    names = tuple(names_in(brief.question, frequencies, n_units))
    subjects = subjects_of(brief.question)
    focus = focus_of(brief.question)
    # A word that stands all over the documents is what they are about: it need not stand in every sentence.
    known = {
        t for t in focus.union(*subjects) if 0 < frequencies.get(t, 0.0) <= max(rare_share(n_units) * n_units, 1.0)
    }
    return Asked(
        terms=tuple(made),
        must=tuple(must_patterns(brief)),
        names=names,
        is_negated=is_negated(brief.question),
        focus=focus,
        subjects=tuple(s for s in subjects if s & known),
        known=frozenset(known),
        of_others=said_of_others(brief.question, made, units),
        question=brief.question,
        forms=forms_of(brief),
        is_focus_told=any(frequencies.get(term) for term in focus),
    )


def said_of_others(question: str, terms: Sequence[AskedTerm], units: Sequence[Unit]) -> frozenset[str]:
    """Return the terms of a question that were read of other things than those it names, and of these nowhere.

    "What does mill 2 grind?", where only mill 3 is said to grind.
    """
    twins = compounds_in(question)
    if any(has_compound_twin(twins, u.text) for u in units) and any(
        has_compound(one, u.text) for one in twins for u in units
    ):
        return _said_of_twins(twins, terms, units)
    named = named_in(question)
    if not named:
        return frozenset()
    parts = {t for name in named for word in name.split() for t in token_terms(word)}
    found: set[str] = set()
    for term in terms:
        own = term.said if term.is_own_word and not term.is_weak and not term.members else frozenset()
        holders = [u for u in units if own & u.terms] if own and not own & parts else []
        if holders and len(holders) <= _FEW_HOLDERS and all(is_about_another(named, u) for u in holders):
            found |= own
    return frozenset(found)


def _said_of_twins(twins: tuple[str, ...], terms: Sequence[AskedTerm], units: Sequence[Unit]) -> frozenset[str]:
    """Return the terms that stand beside another compound alone: the Regionalzug has a platform, no other train."""
    found: set[str] = set()
    for term in terms:
        own = term.said if term.is_own_word and not term.is_weak else frozenset()
        holders = [u for u in units if own & u.terms]
        if holders and len(holders) <= _FEW_HOLDERS and all(has_compound_twin(twins, u.text) for u in holders):
            found |= own
    return frozenset(found)


#: What is said so often is said of everything.
_FEW_HOLDERS: Final = 3


#: A value under its label.
_LABELLED: Final = re.compile(r"(?P<label>[^:=|;.?!\n]{2,60}?)\s*[:=]\s+\S")
#: Words of a label with its value, where nothing else is said.
_SHORT_VALUE: Final = 10
#: Words of a label that say only that it is one.
_TOPIC: Final = frozenset("topic subject item re thema betreff punkt sujet objet".split())


def _weights(terms: Sequence[str], frequencies: Mapping[str, float]) -> dict[str, float]:
    first, *others = terms
    joined = first.replace("-", "")
    weights = {first: 1.0}
    for other in others:
        same = other == joined or other.replace("-", "") == joined
        weights[other] = 1.0 if same else (VARIANT if frequencies.get(first) else 2 * VARIANT)
    if (measure := measure_of(first)) is not None:
        weights[measure] = MEMBER
    for member in kinds().get(first, ()):
        weights.setdefault(member, MEMBER)
    if "-" in first and len(terms) >= 3 and not any(c.isdigit() for c in first):
        weights.update(dict.fromkeys(others, 0.6))
    return weights
