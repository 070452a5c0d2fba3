"""HTML to a document: what a reader sees of the page, with sections, lists, tables, notes and code."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, ClassVar, Final

from selectolax.lexbor import LexborHTMLParser

from pincite.errors import NotTextError
from pincite.parsing.composed import Facts
from pincite.parsing.composing import Composer
from pincite.parsing.detect import is_binary
from pincite.parsing.encoding import decode
from pincite.parsing.html_reading import HtmlReader
from pincite.parsing.media_types import HTML
from pincite.parsing.paragraphs import one_line
from pincite.protocols import Progress
from pincite.types.document import ParsedDocument

#: How far into a page its encoding is declared (HTML Standard, 13.2.3.2).
_DECLARED_BYTES: Final = 1024
_CHARSET: Final = re.compile(
    rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w-]+)""", re.IGNORECASE
)
#: Elements that XML closes in place and HTML does not.
_CLOSED: Final = re.compile(
    r"<(a|b|caption|dd|div|dt|em|h[1-6]|i|iframe|li|ol|p|script|section|span|strong|style|sub|sup|table|tbody|td|"
    r"textarea|th|title|tr|u|ul)\b([^<>]*?)\s*/>",
    re.IGNORECASE,
)
#: Encodings that a page declares → what browsers read them as (Encoding Standard, 4.2).
_READ_AS: Final = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252",
                   "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "x-sjis": "cp932",
                   "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "iso-8859-9": "cp1254"}  # fmt: skip
#: Names of `<meta>` → keys of the metadata.
_META: Final = {
    "author": "author", "description": "description", "keywords": "keywords", "date": "date",
    "dc.date": "date", "dcterms.modified": "modified", "article:published_time": "published",
    "article:modified_time": "modified", "last-modified": "modified", "generator": "generator",
    "og:site_name": "site",
}  # fmt: skip


class HtmlParser:
    """Parses HTML and XHTML of any encoding. Scripts, styles and addresses do nothing."""

    version: ClassVar[str] = "html/2"

    def __init__(self, charset: str | None = None) -> None:
        """Read pages; `charset` is the encoding that the server named, which goes before what a page says itself."""
        self._charset = charset

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page without a size, a line for each paragraph, list item and table row.

        Raises:
            NotTextError: the bytes are not text.

        """
        text, encoding, warnings = decode_html(content, name, self._charset)
        page = LexborHTMLParser(with_end_tags(text) if text.lstrip().startswith("<?xml") else text)
        composer = Composer()
        reader = HtmlReader(composer)
        reader.read(page)
        metadata = page_metadata(page)
        facts = Facts(
            media_type=HTML,
            format_name="HTML",
            metadata=metadata,
            title=metadata.get("title"),
            producer=metadata.get("generator"),
            encoding=encoding,
            warnings=warnings,
            hidden=tuple(reader.hidden),
        )
        document = composer.document(content, facts, name=name, uri=uri, parser=self.version)
        if progress is not None:
            progress(1, 1)
        return document


def decode_html(content: bytes, name: str, charset: str | None = None) -> tuple[str, str, tuple[str, ...]]:
    """Return the text of a page, its encoding and what was doubtful.

    As browsers do (HTML Standard, 13.2.3.2), a byte order mark counts first, then the server's word, then the page's
    own; a word that the bytes do not bear out counts for nothing.

    Raises:
        NotTextError: the bytes are not text.

    """
    if is_binary(content):
        raise NotTextError("the bytes are not text, whatever the name says", origin=name)
    if not content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        for label in _labels(content, charset):
            encoding = _READ_AS.get(label, label)
            # Whoever is wrong about the bytes is passed over.
            with suppress(UnicodeError, LookupError):
                return content.decode(encoding).replace("\0", ""), encoding, ()
    decoded = decode(content, name)
    return decoded.text, decoded.encoding, decoded.warnings


def _labels(content: bytes, charset: str | None) -> Iterator[str]:
    """Yield the names of encodings that the server and the page give, in lower case."""
    if _is_beyond_ascii_utf8(content):
        return
    declared = _CHARSET.search(content[:_DECLARED_BYTES])
    said = (declared.group(1) or declared.group(2)).decode("ascii") if declared is not None else None
    for label in (charset, said):
        name = (label or "").strip(" \"'").lower()
        # A page that could be read for its own word is not UTF-16, whose bytes tell anyway.
        if name and not name.startswith(("utf-16", "utf-7", "utf-32", "idna", "punycode", "unicode", "undefined")):
            yield name


def _is_beyond_ascii_utf8(content: bytes) -> bool:
    """Say whether bytes are UTF-8 with more than ASCII: by chance no other encoding looks so, whoever says so."""
    if content.isascii():
        return False
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def with_end_tags(text: str) -> str:
    """Return XHTML as HTML reads it: an element without content has an end tag there.

    >>> with_end_tags('<a id="x"/>Harbour<br/>')
    '<a id="x"></a>Harbour<br/>'
    """
    return _CLOSED.sub(r"<\1\2></\1>", text)


def page_metadata(page: LexborHTMLParser) -> dict[str, Any]:
    """Return what the head of a page says of it: title, author, dates, language."""
    found: dict[str, Any] = {}
    title = page.css_first("head > title")
    if title is not None and one_line(title.text()):
        found["title"] = one_line(title.text())
    for meta in page.css("meta"):
        key = (meta.attributes.get("name") or meta.attributes.get("property") or "").lower()
        value = one_line(meta.attributes.get("content") or "")
        if key in _META and value:
            found.setdefault(_META[key], value)
    root = page.css_first("html")
    language = one_line((root.attributes.get("lang") or "") if root is not None else "")
    if re.fullmatch(r"[A-Za-z]{2,3}(-[\w-]+)?", language):
        found["language"] = language
    return found
