"""Candidates for review: the passages of a library's documents, each with its cite, none reviewed."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from pincite.errors import PassagesError
from pincite.library import Library
from pincite.types.citation import Verdict
from pincite.types.document import DocumentRecord
from pincite.types.passage import Passage
from pincite.verifying import CitedDocument
from pincite.widget.records import Draft
from pincite.widget.sections import slug
from pincite.widget.words import terms

#: Fewer terms than this are a heading or a scrap, not a fact.
_LEAST_TERMS: Final = 4
_ENDING: Final = re.compile(r"\.(md|markdown|txt|html?)$", re.IGNORECASE)
_MARKS: Final = re.compile(r"^\s{0,3}#{1,6}\s+.*$", re.MULTILINE)
_FIELD: Final = re.compile(r"\{([a-z]*)\}")
#: What the template of an address may name.
URL_FIELDS: Final = ("path", "name", "anchor", "page")


def draft_passages(library: Library, url: str = "") -> tuple[Draft, ...]:
    """Return a candidate for each passage of each document, in order; the same text is drafted once.

    `url` is a template: `{path}` is the document's name without its ending, `{name}` with it, `{anchor}` the last
    heading as code hosts spell it, `{page}` the number of the page.

    Raises:
        PassagesError: the template names something else, or the library is empty.

    """
    unknown = [name for name in _FIELD.findall(url) if name not in URL_FIELDS]
    if unknown:
        raise PassagesError(f"{{{unknown[0]}}} is not known in an address; known are {', '.join(URL_FIELDS)}")
    records = library.documents()
    if not records:
        raise PassagesError("there is no document to draft passages from; name files, or add some with `pincite add`")
    drafts: dict[str, Draft] = {}
    seen: set[tuple[str, ...]] = set()
    for record in records:
        for draft in _of_document(library, record, url):
            content = terms(draft.text)
            if len(content) >= _LEAST_TERMS and content not in seen:
                seen.add(content)
                unique = _unique(draft, drafts)
                drafts[unique.id] = unique
    return tuple(drafts.values())


def _of_document(library: Library, record: DocumentRecord, url: str) -> Iterator[Draft]:
    document = library.document(record.doc_id)
    cited = CitedDocument(document, doc_id=record.doc_id, name=record.name)
    if not document.lines:
        return
    for stored in library.store.passages_at(record.doc_id, 1, len(document.lines)):
        passage = stored.passage
        lines = [x for x in document.lines_between(passage.first_line_id, passage.last_line_id) if x.text.strip()]
        if passage.kind == "code" or not lines:
            continue
        cite = cited.citation_of_lines(lines, Verdict(status="verified", match="exact"))
        title = passage.breadcrumb[-1] if passage.breadcrumb else record.name
        yield Draft(
            id=slug(f"{_ENDING.sub('', record.name)} {title}")[:80].strip("-"),
            title=title,
            text=_prose(passage, title),
            url=_address(url, record.name, title, passage.first_page),
            cite=str(cite),
        )


def _prose(passage: Passage, title: str) -> str:
    """Return the text without its heading; lines of running text are joined, those of lists and tables kept."""
    text = _MARKS.sub("", passage.text).strip()
    first, _, rest = text.partition("\n")
    text = rest.strip() if first.strip() == title else text
    if passage.kind != "prose":
        return text
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text))


def _address(template: str, name: str, title: str, page: int) -> str:
    anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    values = {"path": _ENDING.sub("", name), "name": name, "anchor": anchor, "page": str(page)}
    return _FIELD.sub(lambda match: quote(values[match.group(1)], safe="/-._~"), template)


def _unique(draft: Draft, drafts: dict[str, Draft]) -> Draft:
    number, name = 1, draft.id
    while name in drafts:
        number += 1
        name = f"{draft.id}-{number}"
    return Draft(id=name, title=draft.title, text=draft.text, url=draft.url, cite=draft.cite)
