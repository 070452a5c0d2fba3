"""Zip packages (Office, EPUB) opened with care: bombs, broken directories and XML entities are errors, never read."""

import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from lxml import etree

from pincite.errors import CorruptFileError, EmptyFileError, ParseError, ParseMemoryError, PasswordRequiredError
from pincite.types.document import Attachment

#: What a package may unpack to: far above real documents, far below what stops a machine.
MAX_MEMBERS: Final = 20_000
MAX_TOTAL_BYTES: Final = 1024 * 2**20
MAX_XML_BYTES: Final = 256 * 2**20
#: Deflate packs text to about a tenth, drawings of one colour to a hundredth; a bomb goes to the limit of 1:1032.
_MAX_RATIO: Final = 400
_RATIO_FROM_BYTES: Final = 16 * 2**20
_DOCTYPE: Final = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_HEAD_BYTES: Final = 64 * 1024
#: A flag of a member: it is encrypted (APPNOTE.TXT, 4.4.4).
_ENCRYPTED: Final = 0x1


def open_package(content: bytes, name: str, *, doctype: bool = False) -> zipfile.ZipFile:
    """Return the zip of an Office file or a book after a look at its directory.

    `doctype` allows document types in its members, which Office files never have (ECMA-376 part 2, 8.2).

    Raises:
        EmptyFileError: there are no bytes.
        CorruptFileError: it is no zip, or its XML declares a document type.
        ParseMemoryError: it unpacks to more than any document needs.
        PasswordRequiredError: its members are encrypted.

    """
    if not content:
        raise EmptyFileError("the file is empty", origin=name)
    try:
        package = zipfile.ZipFile(io.BytesIO(content))
        members = package.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError, RecursionError) as error:
        raise CorruptFileError(f"the zip in it cannot be opened ({error})", origin=name) from error
    _check_sizes(members, len(content), name)
    if any(member.flag_bits & _ENCRYPTED for member in members):
        raise PasswordRequiredError("its parts are encrypted; save it without a password first", origin=name)
    if not doctype:
        for member in members:
            if member.filename.endswith((".xml", ".rels")) and _DOCTYPE.search(read_member(package, member, name)):
                raise CorruptFileError(f"{member.filename} declares a document type, as no Office file does",
                                       origin=name)  # fmt: skip
    return package


def _check_sizes(members: list[zipfile.ZipInfo], n_bytes: int, name: str) -> None:
    total = sum(member.file_size for member in members)
    if len(members) > MAX_MEMBERS:
        raise ParseMemoryError(f"it holds {len(members):,} parts; no document has that many", origin=name)
    if total > MAX_TOTAL_BYTES or (total > _RATIO_FROM_BYTES and total > _MAX_RATIO * n_bytes):
        raise ParseMemoryError(
            f"{n_bytes / 2**20:,.1f} MB unpack to {total / 2**20:,.0f} MB, as no document does", origin=name
        )
    for member in members:
        if member.filename.endswith((".xml", ".rels", ".xhtml", ".html", ".opf")) and member.file_size > MAX_XML_BYTES:
            raise ParseMemoryError(f"{member.filename} unpacks to {member.file_size / 2**20:,.0f} MB", origin=name)


def read_member(package: zipfile.ZipFile, member: zipfile.ZipInfo | str, name: str) -> bytes:
    """Return the bytes of a part; `name` is what the error calls the file.

    Raises:
        CorruptFileError: there is no such part, or it cannot be unpacked.

    """
    called = member if isinstance(member, str) else member.filename
    try:
        return package.read(member)
    except KeyError as error:
        raise CorruptFileError(f"its part {called} is missing", origin=name) from error
    except Exception as error:
        raise CorruptFileError(f"its part {called} cannot be unpacked ({error})", origin=name) from error


def xml_of(content: bytes, name: str) -> Any:
    """Return the root element of XML without entities: none is expanded, nothing is fetched.

    Raises:
        CorruptFileError: it is not well-formed, or it declares entities.

    """
    if b"<!ENTITY" in content[:_HEAD_BYTES].upper():
        raise CorruptFileError("its XML declares entities", origin=name)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise CorruptFileError(f"its XML is broken ({error.msg})", origin=name) from error
    if root is None:
        raise CorruptFileError("its XML is empty", origin=name)
    return root


@contextmanager
def reading(name: str, what: str) -> Iterator[None]:
    """Turn whatever a library raises on a damaged file into an error that names the file.

    Raises:
        CorruptFileError: in place of any other error but those of pincite and a lack of memory.

    """
    try:
        yield
    except (ParseError, MemoryError):
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise CorruptFileError(f"cannot be read as {what} ({said[:200]})", origin=name) from error


def attachments_of(package: zipfile.ZipFile) -> tuple[Attachment, ...]:
    """Return the files embedded in an Office file, by base name."""
    names = package.namelist()
    of_charts = b"".join(package.read(name) for name in names if "/charts/_rels/" in name).decode("utf-8", "replace")
    found = []
    for member in package.infolist():
        base = member.filename.rsplit("/", 1)[-1]
        # The numbers behind a chart are in the chart itself.
        if "/embeddings/" in member.filename and base and f"embeddings/{base}" not in of_charts:
            found.append(Attachment(name=base, n_bytes=member.file_size))
    return tuple(found)


def macro_warnings(package: zipfile.ZipFile) -> tuple[str, ...]:
    """Return what to say of macros: that they are there and did nothing."""
    has_macros = any(member.filename.lower().endswith("vbaproject.bin") for member in package.infolist())
    return ("it holds macros, which were not read and not run",) if has_macros else ()


def core_properties(found: Any) -> dict[str, Any]:
    """Return the properties an Office file states of itself: title, author, dates as ISO days and so on."""
    metadata: dict[str, Any] = {}
    for key in ("title", "subject", "author", "keywords", "category", "comments", "last_modified_by", "language"):
        with_text = " ".join(str(getattr(found, key, None) or "").split())
        if with_text and not (
            key == "comments" and with_text.startswith(("generated by python", "generated using python"))
        ):
            metadata[key] = with_text
    for key in ("created", "modified"):
        moment = getattr(found, key, None)
        if moment is not None and hasattr(moment, "isoformat"):
            metadata[key] = moment.isoformat()[:10]
    return metadata
