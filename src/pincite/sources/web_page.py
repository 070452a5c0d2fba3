"""What a page links to, whether it wants to be read by robots, and which of its lines are the article."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urljoin

from msgspec.structs import replace

from pincite.errors import SourceError
from pincite.sources.web_client import normal_url
from pincite.types.document import FURNITURE, Line, ParsedDocument, Role
from pincite.types.record import Record

#: Less of a page's words than this in the article: the article was not found, and the page stays as it is.
_LEAST_SHARE: Final = 0.2
#: More links than this of one page are not followed.
_MAX_LINKS: Final = 5_000
_ROBOT_TERMS: Final = re.compile(r"[\s,]+")


class PageFacts(Record, frozen=True, kw_only=True):
    """The addresses that a page links to, each once, in the order of the page; and what it asks of robots."""

    links: tuple[str, ...] = ()
    is_noindex: bool = False


def facts_of(content: bytes, url: str) -> PageFacts:
    """Return the links of an HTML page that was found at `url`; with `nofollow` it has none."""
    tree = _tree(content)
    if tree is None:
        return PageFacts()
    terms: set[str] = set()
    for meta in tree.iter("meta"):
        if (meta.get("name") or "").strip().lower() in ("robots", "pincite"):
            terms.update(_ROBOT_TERMS.split((meta.get("content") or "").lower()))
    base = next((urljoin(url, b.get("href")) for b in tree.iter("base") if b.get("href")), url)
    links = () if terms & {"nofollow", "none"} else tuple(_links(tree, base))
    return PageFacts(links=links, is_noindex=bool(terms & {"noindex", "none"}))


def _links(tree: Any, base: str) -> Iterator[str]:
    seen: set[str] = set()
    for anchor in tree.iter("a", "area"):
        href = anchor.get("href")
        if not href or "nofollow" in (anchor.get("rel") or "").lower().split():
            continue
        try:
            address = normal_url(urljoin(base, href.strip()))
        except (SourceError, ValueError):
            continue
        if address not in seen and len(seen) < _MAX_LINKS:
            seen.add(address)
            yield address


def _tree(content: bytes) -> Any:
    # 0.1 s to load: only who reads pages pays.
    import lxml.etree
    import lxml.html

    parser = lxml.html.HTMLParser(encoding=_encoding(content), no_network=True, huge_tree=False)
    try:
        return lxml.html.document_fromstring(content, parser=parser)
    except (lxml.etree.LxmlError, ValueError):
        return None


def _encoding(content: bytes) -> str | None:
    """Return UTF-8 where the bytes are; else lxml looks for what the page says of itself."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def without_navigation(document: ParsedDocument, content: bytes) -> ParsedDocument:
    """Return the document with the lines that are not the article as header or footer: searched less, never answered.

    The lines, their numbers and the fetched bytes stay what they are. Where no article is found nothing changes.
    """
    article = _words(_main_text(_as_read(content, document.parsing_summary.encoding)))
    whole = _words("\n".join(line.text for line in document.lines))
    if not article or len(article) < _LEAST_SHARE * len(whole):
        return document
    is_main = [_is_of(line, article) for line in document.lines]
    first = is_main.index(True) if True in is_main else len(is_main)
    lines = tuple(
        line if main or line.role in FURNITURE else replace(line, role=_side(number < first))
        for number, (line, main) in enumerate(zip(document.lines, is_main, strict=True))
    )
    return replace(document, lines=lines)


def _as_read(content: bytes, encoding: str | None) -> str | bytes:
    """Return the page as it was decoded for the document, so that both have the same letters."""
    try:
        return content.decode(encoding) if encoding else content
    except (UnicodeError, LookupError):
        return content


def _side(is_before: bool) -> Role:  # noqa: FBT001 - where a line stands
    return "header" if is_before else "footer"


def _is_of(line: Line, article: str) -> bool:
    """Say whether a line belongs to the article; headings and lines without a word belong to what is around them."""
    words = _words(line.text)
    return not words or line.role == "heading" or words in article


def _main_text(content: str | bytes) -> str:
    # trafilatura takes 0.9 s to load.
    import trafilatura

    found = trafilatura.extract(
        content, output_format="txt", include_comments=False, include_tables=True, favor_recall=True, fast=True
    )
    return found or ""


def _words(text: str) -> str:
    """Return letters and digits alone, in one case: marks and spaces differ between two readers of one page."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
