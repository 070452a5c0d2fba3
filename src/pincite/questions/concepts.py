"""The user's table of expert vocabulary: concept, keyword, language, weight."""

import csv
from pathlib import Path

from pincite.errors import SettingsError
from pincite.questions.corpus import ConceptKeyword


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
