"""EPUB books: an item of the spine is a page, its headings are sections."""

import posixpath
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from pincite.errors import CorruptFileError, NotTextError, PasswordRequiredError
from pincite.parsing.archive import open_package, read_member, reading, xml_of
from pincite.parsing.composed import Facts
from pincite.parsing.composing import Composer
from pincite.parsing.html import decode_html, with_end_tags
from pincite.parsing.html_reading import HtmlReader
from pincite.parsing.media_types import EPUB
from pincite.parsing.paragraphs import one_line
from pincite.protocols import Progress
from pincite.types.document import HiddenText, ParsedDocument

_PAGES: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_FIELDS: Final = ("title", "creator", "language", "date", "publisher", "identifier", "subject", "description")
#: Obfuscated fonts are no lock (EPUB 3.3, OCF 4.4).
_FONT_ALGORITHMS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


@dataclass(slots=True)
class _Book:
    """What the package document says: metadata, and the files of the spine in order."""

    metadata: dict[str, Any] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)


class EpubParser:
    """Parses EPUB 2 and 3."""

    version: ClassVar[str] = "epub/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: a page for each item of the spine, a line for each paragraph, list item, table row.

        Raises:
            CorruptFileError: it is no book, or a damaged one.
            PasswordRequiredError: its text is encrypted.
            ParseMemoryError: it unpacks to more than any document needs.

        """
        package = open_package(content, name, doctype=True)
        composer = Composer()
        hidden: list[HiddenText] = []
        warnings: list[str] = []
        with reading(name, "an EPUB book"):
            _check_locks(package, name)
            book = _book_of(package, name)
            for number, path in enumerate(book.pages, start=1):
                _write(package, path, book, composer, hidden, warnings, name)
                if progress is not None:
                    progress(number, len(book.pages))
        facts = Facts(
            media_type=EPUB,
            format_name="EPUB",
            metadata=book.metadata,
            title=book.metadata.get("title"),
            warnings=tuple(warnings),
            hidden=tuple(hidden),
        )
        return composer.document(content, facts, name=name, uri=uri, parser=self.version)


def _write(
    package: zipfile.ZipFile, path: str, book: _Book, composer: Composer, hidden: list[HiddenText],
    warnings: list[str], name: str,
) -> None:  # fmt: skip
    """Write one item of the spine as a page; one that is missing is an empty page."""
    composer.start_page()
    try:
        text, _, _ = decode_html(read_member(package, path, name), name)
    except (CorruptFileError, NotTextError) as error:
        warnings.append(f"part {composer.n_pages} ({path}) was not read: {error.message}")
        return
    page = LexborHTMLParser(with_end_tags(text))
    if page.css_first("h1, h2, h3, h4, h5, h6") is None and path in book.titles:
        composer.section(book.titles[path], 1)
    reader = HtmlReader(composer)
    reader.read(page)
    hidden += reader.hidden


def _check_locks(package: zipfile.ZipFile, name: str) -> None:
    """Raise where more than fonts is encrypted."""
    if "META-INF/encryption.xml" not in package.namelist():
        return
    root = xml_of(read_member(package, "META-INF/encryption.xml", name), name)
    methods = {node.get("Algorithm") or "" for node in root.iter("{*}EncryptionMethod")}
    if methods - set(_FONT_ALGORITHMS):
        raise PasswordRequiredError("the book is locked by its seller (DRM); pincite opens no locks", origin=name)


def _book_of(package: zipfile.ZipFile, name: str) -> _Book:
    container = xml_of(read_member(package, "META-INF/container.xml", name), name)
    path = next((node.get("full-path") for node in container.iter("{*}rootfile") if node.get("full-path")), None)
    if path is None:
        raise CorruptFileError("its container names no package document", origin=name)
    root = xml_of(read_member(package, path, name), name)
    book = _Book()
    for one in _FIELDS:
        texts = [one_line("".join(node.itertext())) for node in root.iter(f"{{http://purl.org/dc/elements/1.1/}}{one}")]
        texts = [text for text in texts if text]
        if texts:
            book.metadata["author" if one == "creator" else one] = ", ".join(texts) if one == "creator" else texts[0]
    folder = posixpath.dirname(path)
    manifest = {item.get("id"): item for item in root.iter("{*}item")}
    for reference in root.iter("{*}itemref"):
        item = manifest.get(reference.get("idref"))
        if item is not None and (item.get("media-type") or "") in _PAGES:
            book.pages.append(_joined(folder, item.get("href") or ""))
    if not book.pages:
        raise CorruptFileError("its spine names no text", origin=name)
    for item in manifest.values():
        if "nav" in (item.get("properties") or "").split() or item.get("media-type") == "application/x-dtbncx+xml":
            _take_titles(package, _joined(folder, item.get("href") or ""), book, name)
    return book


def _take_titles(package: zipfile.ZipFile, path: str, book: _Book, name: str) -> None:
    """Take the titles of the contents, for items that have no heading of their own."""
    if path not in package.namelist():
        return
    text = read_member(package, path, name).decode("utf-8", "replace")
    folder = posixpath.dirname(path)
    page = LexborHTMLParser(text)
    for link in page.css("nav a[href]"):
        target = _joined(folder, (link.attributes.get("href") or "").split("#")[0])
        book.titles.setdefault(target, one_line(link.text(deep=True)))
    for label, target in re.findall(r"<text>([^<]*)</text>.*?<content[^>]*\bsrc=\"([^\"#]*)", text, re.DOTALL):
        book.titles.setdefault(_joined(folder, target), one_line(label))


def _joined(folder: str, href: str) -> str:
    """Return the path of a member; one that leads out of the zip names nothing in it."""
    return posixpath.normpath(posixpath.join(folder, unquote(href)))
