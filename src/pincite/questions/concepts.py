"""Tables of expert vocabulary, pincite's own and the user's: concept, keyword, language, weight."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pincite.errors import SettingsError
from pincite.questions.corpus import ConceptKeyword

#: Where pincite's own tables are, a file for each field of work.
VOCABULARY: Final = Path(__file__).parent / "vocabulary"


def concepts_of(fields: Sequence[str], own: Sequence[ConceptKeyword] = ()) -> tuple[ConceptKeyword, ...]:
    """Return the rows of pincite's tables for `fields` ("finance") and the user's `own`.

    A concept that the user's table names is the user's alone: a row of weight 0 takes a concept out.

    Raises:
        SettingsError: there is no table for a field; the message lists those there are.

    """
    known = {file.stem: file for file in sorted(VOCABULARY.glob("*.csv"))}
    for field in fields:
        if field not in known:
            raise SettingsError(f"vocabulary: there is no table {field!r}; choose one of: {', '.join(known)}, none")
    theirs = {row.concept.casefold() for row in own}
    built_in = [row for field in fields for row in load_concepts(known[field])]
    rows = [*own, *(row for row in built_in if row.concept.casefold() not in theirs)]
    return tuple(row for row in rows if row.weight > 0)


def load_concepts(path: Path) -> tuple[ConceptKeyword, ...]:
    """Return the rows of a CSV file with the columns concept, keyword and, if wanted, language and weight.

    Raises:
        SettingsError: the file, a column or a number is not there; the message names the line.

    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = {"concept", "keyword"} - set(reader.fieldnames or ())
            if missing:
                raise SettingsError(f"{path}: the first line has to name the columns {', '.join(sorted(missing))}")
            return tuple(_row(row, path, reader.line_num) for row in reader if row["concept"] and row["keyword"])
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read as a table of concepts: {error}") from error


def expert_words(concepts: Sequence[ConceptKeyword]) -> frozenset[str]:
    """Return the words of the concepts' names, in lower case: whoever types one means it."""
    return frozenset(word for name in {row.concept for row in concepts} for word in name.lower().split())


def _row(row: dict[str, str], path: Path, line_num: int) -> ConceptKeyword:
    try:
        weight = float(row.get("weight") or 1.0)
    except ValueError as error:
        raise SettingsError(f"{path}, line {line_num}: weight {row['weight']!r} is no number") from error
    return ConceptKeyword(
        concept=row["concept"].strip(),
        keyword=row["keyword"].strip(),
        language=(row.get("language") or "").strip(),
        weight=weight,
    )
