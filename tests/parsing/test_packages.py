"""Office files and books that are damaged, locked, or meant to do harm: typed errors, never a crash, nothing run."""

import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parsing import made_files as made

from pincite.errors import (
    CorruptFileError,
    EmptyFileError,
    ParseError,
    ParseMemoryError,
    PasswordRequiredError,
    UnsupportedFormatError,
)
from pincite.parsing import PARSERS
from pincite.parsing.detect import head_of, media_type, parser_name
from pincite.registry import load
from pincite.types.document import ParsedDocument

_PACKAGES = {
    "docx": (made.docx_bytes(), "word/document.xml"),
    "xlsx": (made.xlsx_bytes(), "xl/worksheets/sheet1.xml"),
    "pptx": (made.pptx_bytes(), "ppt/slides/slide1.xml"),
    "epub": (made.epub_bytes(), "OEBPS/gate.xhtml"),
}
_TEXTS = {
    "html": made.HTML.encode(),
    "email": made.email_bytes(),
    "csv": made.CSV.encode(),
    "rst": made.RST.encode(),
    "asciidoc": made.ASCIIDOC.encode(),
    "code": made.CODE.encode(),
}
_LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


def parse(parser: str, content: bytes, name: str = "odd.bin") -> ParsedDocument:
    made_parser = load(parser, PARSERS, group="pincite.parsers")()
    document: ParsedDocument = made_parser.parse(content, name=name, uri="file:///odd.bin")
    return document


def outcome(parser: str, content: bytes) -> str:
    """Return "read", or the file that a typed error names."""
    try:
        document = parse(parser, content)
    except ParseError as error:
        return error.origin
    return "read" if all(n == line.line_id for n, line in enumerate(document.lines, start=1)) else "misnumbered"


def whole(document: ParsedDocument) -> str:
    return "\n".join(line.text for line in document.lines)


@pytest.mark.parametrize("parser", sorted(_PACKAGES))
def test_a_cut_off_package_is_named_as_broken(parser: str) -> None:
    """A download that stopped half-way is an error with the file's name."""
    content = _PACKAGES[parser][0]

    with pytest.raises(CorruptFileError, match=r"odd\.bin"):
        parse(parser, content[: len(content) // 2])


@pytest.mark.parametrize("parser", sorted(_PACKAGES))
def test_a_part_that_unpacks_without_end_is_refused(parser: str) -> None:
    """A zip bomb fills no memory: it is refused by its directory, before anything is unpacked."""
    bomb = made.with_member(_PACKAGES[parser][0], "word/media/bomb.bin", bytes(80 * 2**20))

    with pytest.raises(ParseMemoryError, match="unpack"):
        parse(parser, bomb)


@pytest.mark.parametrize("parser", ["docx", "xlsx", "pptx"])
def test_entities_in_office_xml_are_refused(parser: str) -> None:
    """A billion laughs, or an entity that names a file of this machine, is never expanded."""
    content, part = _PACKAGES[parser]
    xml = zipfile.ZipFile(io.BytesIO(content)).read(part)
    head, _, rest = xml.partition(b"?>")

    with pytest.raises(CorruptFileError, match="document type"):
        parse(parser, made.with_member(content, part, head + b"?>" + _LAUGHS + rest))


def test_entities_in_a_book_are_not_expanded() -> None:
    """A page of a book that declares entities shows none of what they stand for; its package document may not."""
    page = f'<?xml version="1.0"?>{_LAUGHS.decode()}<html><body><p>Tea &b; <!ENTITY c SYSTEM "file:///etc/passwd">'

    assert "haha" not in whole(parse("epub", made.epub_bytes(gate=page)))
    with pytest.raises(CorruptFileError, match="entities"):
        parse("epub", made.epub_bytes(book='<!DOCTYPE p [<!ENTITY a "b">]><package/>'))


def test_a_page_names_no_entity_of_its_own() -> None:
    """HTML knows no declared entities: what a page declares is not in its text."""
    page = b'<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>Tea &x; &amp; milk'

    assert "root:" not in whole(parse("html", page))


def test_linked_files_are_not_fetched() -> None:
    """A template or picture at an address is left alone: parsing opens no file and no connection."""
    content = _PACKAGES["docx"][0]
    rels = zipfile.ZipFile(io.BytesIO(content)).read("word/_rels/document.xml.rels")
    external = (
        b'<Relationship Id="rId99" TargetMode="External" Target="http://127.0.0.1:9/x.dotm" Type="http://schemas.'
        b'openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"/></Relationships>'
    )
    changed = rels.replace(b"</Relationships>", external)

    document = parse("docx", made.with_member(content, "word/_rels/document.xml.rels", changed))

    assert "Keep the gangway clear." in whole(document)


@pytest.mark.parametrize(("parser", "folder"), [("docx", "word"), ("xlsx", "xl"), ("pptx", "ppt")])
def test_macros_are_said_and_not_run(parser: str, folder: str) -> None:
    """A file with macros is read like any other, and the reader is told."""
    document = parse(parser, made.with_member(_PACKAGES[parser][0], f"{folder}/vbaProject.bin", b"\xd0\xcf\x11\xe0"))

    assert "it holds macros, which were not read and not run" in document.parsing_summary.warnings


def test_a_document_with_macros_is_a_word_document() -> None:
    """Word's .docm is read: only its name for the text part differs."""
    content = _PACKAGES["docx"][0]
    types = zipfile.ZipFile(io.BytesIO(content)).read("[Content_Types].xml")
    plain = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    assert plain in types
    docm = types.replace(plain, b"application/vnd.ms-word.document.macroEnabled.main+xml")

    assert "Keep the gangway clear." in whole(parse("docx", made.with_member(content, "[Content_Types].xml", docm)))


@pytest.mark.parametrize("parser", sorted(_PACKAGES))
def test_a_package_without_its_text_is_broken(parser: str) -> None:
    """A zip that only looks like a document is an error, not an empty document."""
    with pytest.raises(CorruptFileError, match=r"odd\.bin"):
        parse(parser, made.zipped({"mimetype": "x", "notes.txt": "hello"}))


@pytest.mark.parametrize("parser", [*sorted(_PACKAGES), "email"])
def test_a_package_without_bytes_is_empty(parser: str) -> None:
    """An empty file is called empty, whatever its name promises."""
    with pytest.raises(EmptyFileError):
        parse(parser, b"")


def test_a_sheet_with_one_cell_far_off_is_read() -> None:
    """A cell at the last row of a sheet makes no million lines; what was left out is said."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["XFD1048576"] = "The key is blue.", "far"
    out = io.BytesIO()
    book.save(out)

    document = parse("xlsx", out.getvalue())

    assert [line.text for line in document.lines] == ["The key is blue."]
    assert document.parsing_summary.warnings == ("sheet 'Sheet': 1 cells far off all others were not read",)


def test_a_locked_book_is_not_opened() -> None:
    """A book with a lock of its seller is said to have one."""
    lock = '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></encryption>'
    with pytest.raises(PasswordRequiredError, match="locked"):
        parse("epub", made.with_member(made.epub_bytes(), "META-INF/encryption.xml", lock.encode()))


def test_old_and_locked_office_files_say_what_to_do() -> None:
    """Who adds a .doc learns how to convert it; who adds a file with a password learns that it has one."""
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    with pytest.raises(UnsupportedFormatError, match=r"letter\.doc: old Word documents.*soffice .*docx"):
        parser_name(media_type(ole + "WordDocument".encode("utf-16-le"), "letter.doc"), "letter.doc")
    with pytest.raises(PasswordRequiredError, match=r"plan\.docx"):
        parser_name(media_type(ole + "EncryptedPackage".encode("utf-16-le"), "plan.docx"), "plan.docx")


@pytest.mark.parametrize("parser", sorted(_PACKAGES))
def test_a_package_is_known_by_its_parts_whatever_its_name(parser: str) -> None:
    """A Word file named .txt, .pdf or .xlsx is read as Word, even where its first bytes do not say so."""
    content = _PACKAGES[parser][0]
    first = made.zipped({"docProps/thumbnail.bin": struct.pack(">2000Q", *range(2000))})
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(out := io.BytesIO(first), "a") as late:
        for name in archive.namelist():
            late.writestr(name, archive.read(name))

    for name in ("report.txt", "report.pdf", "report.xlsx", "report", "report.docx"):
        assert parser_name(media_type(head_of(out.getvalue()), name), name) == parser


@given(data=st.binary(max_size=400), parser=st.sampled_from(sorted({*_PACKAGES, *_TEXTS} - {"picture"})))
def test_any_bytes_are_read_or_refused(data: bytes, parser: str) -> None:
    """Whatever bytes a file has, it becomes a document or a typed error that names it."""
    for content in (data, b"PK\x03\x04" + data, _TEXTS.get(parser, b"") + data):
        assert outcome(parser, content) in {"read", "odd.bin"}


@given(parser=st.sampled_from(sorted(_PACKAGES)), data=st.data())
def test_a_damaged_package_is_read_or_refused(parser: str, data: st.DataObject) -> None:
    """Bytes changed or cut out anywhere in a file of Office or a book give a document or a typed error."""
    content = bytearray(_PACKAGES[parser][0])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[at] = data.draw(st.integers(0, 255))
        else:
            del content[at : at + data.draw(st.integers(1, 200))]
    assert outcome(parser, bytes(content)) in {"read", "odd.bin"}


@given(parser=st.sampled_from(sorted(_PACKAGES)), data=st.data())
def test_a_damaged_part_is_read_or_refused(parser: str, data: st.DataObject) -> None:
    """XML damaged inside a whole zip gives a document or a typed error, too."""
    content, part = _PACKAGES[parser]
    xml = bytearray(zipfile.ZipFile(io.BytesIO(content)).read(part))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(xml) - 1))
        xml[at : at + data.draw(st.integers(0, 60))] = data.draw(st.binary(max_size=8))
    assert outcome(parser, made.with_member(content, part, bytes(xml))) in {"read", "odd.bin"}


@given(parser=st.sampled_from(sorted(_TEXTS)), data=st.data())
def test_a_cut_off_text_is_read(parser: str, data: st.DataObject) -> None:
    """A text format that ends anywhere is read as far as it goes."""
    content = _TEXTS[parser]
    cut = content[: data.draw(st.integers(len(content) // 2, len(content)))]

    assert parse(parser, cut).lines
