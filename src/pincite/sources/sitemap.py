"""The addresses of a sitemap (sitemaps.org): of pages, and of further sitemaps."""

import gzip
import zlib
from typing import Any, Final

from pincite.errors import SourceError, SourceLimitError
from pincite.sources.web_client import normal_url
from pincite.types.record import Record

#: A sitemap may hold 50 MB, unpacked (sitemaps.org, protocol).
MAX_BYTES: Final = 50 * 2**20
_GZIP: Final = b"\x1f\x8b"


class Sitemap(Record, frozen=True, kw_only=True):
    """The addresses in the order of the file."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def read_sitemap(content: bytes) -> Sitemap | None:
    """Return the addresses of a sitemap, packed or not; `None` where the bytes are none.

    Entities are not resolved and nothing outside is read.

    Raises:
        SourceLimitError: it is too large.

    """
    import lxml.etree

    body = _unpacked(content) if content.startswith(_GZIP) else content
    head = body[:2000].lower()
    if b"<urlset" not in head and b"<sitemapindex" not in head:
        return None
    parser = lxml.etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    root = lxml.etree.fromstring(body, parser=parser)
    if root is None:
        return None
    kind = lxml.etree.QName(root).localname
    found = tuple(dict.fromkeys(_locations(root)))
    return Sitemap(sitemaps=found) if kind == "sitemapindex" else Sitemap(pages=found)


def _locations(root: Any) -> list[str]:
    addresses = []
    for node in root.iter("{*}loc"):
        try:
            addresses.append(normal_url(node.text or ""))
        except SourceError:
            continue
    return addresses


def _unpacked(content: bytes) -> bytes:
    try:
        unpacker = zlib.decompressobj(wbits=31)
        body = unpacker.decompress(content, MAX_BYTES + 1)
    except (zlib.error, gzip.BadGzipFile):
        return b""
    if len(body) > MAX_BYTES:
        raise SourceLimitError(f"a sitemap of more than {MAX_BYTES / 2**20:.0f} MB")
    return body
