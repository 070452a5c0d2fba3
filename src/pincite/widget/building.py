"""Reviewed passages to the index file, with the element beside it, once the evals agree."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from pincite.errors import PassagesError
from pincite.types.record import dump_json
from pincite.widget.records import FORMAT, Index, ReviewedPassage, SourceFile
from pincite.widget.scoring import Searcher

ELEMENT: Final = "pincite-ask.js"
INDEX: Final = "pincite-index.json"


def build_index(source: SourceFile) -> Index:
    """Return the index of the reviewed passages; the same file always gives the same index.

    Raises:
        PassagesError: nothing is reviewed, or a suggested question is refused.

    """
    reviewed = [draft for draft in source.passages if draft.is_reviewed]
    if not reviewed:
        raise PassagesError("no passage is reviewed: fill in reviewed-by and reviewed-on where the text is right")
    index = Index(
        format=FORMAT,
        title=source.title,
        language=source.language,
        refusal=source.refusal,
        suggestions=source.suggestions,
        scoring=source.scoring,
        stop_words=source.stop_words,
        passages=tuple(
            ReviewedPassage(
                id=draft.id,
                text=draft.text,
                title=draft.title,
                url=draft.url,
                reviewed_by=draft.reviewed_by,
                reviewed_on=draft.reviewed_on,
                tags=draft.tags,
            )
            for draft in reviewed
        ),
        words=source.words,
        source_hash=source.content_hash,
    )
    _check_suggestions(index)
    return index


def write_widget(index: Index, folder: str | Path) -> tuple[Path, Path]:
    """Write the element and the index into a folder, made if need be, and return where they are.

    Raises:
        OSError: the folder cannot be written to.

    """
    target = Path(folder).expanduser()
    target.mkdir(parents=True, exist_ok=True)
    element, written = target / ELEMENT, target / INDEX
    element.write_bytes((files("pincite.widget") / ELEMENT).read_bytes())
    written.write_bytes(dump_json(index))
    return element, written


def _check_suggestions(index: Index) -> None:
    searcher = Searcher(index)
    for suggestion in index.suggestions:
        if searcher.ask(suggestion).is_refusal:
            raise PassagesError(f"the suggestion {suggestion!r} is refused; suggest what the passages answer")
