"""reStructuredText, AsciiDoc and source code: the file's own lines, with the sections their marks make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parsing import made_files as made

from pincite.parsing import PARSERS
from pincite.registry import load
from pincite.types.document import ParsedDocument


def parse(parser: str, text: str, name: str = "a.txt") -> ParsedDocument:
    document: ParsedDocument = load(parser, PARSERS, group="pincite.parsers")().parse(
        text.encode(), name=name, uri=name
    )
    return document


def roles(document: ParsedDocument) -> dict[str, str]:
    return {line.text.strip(): line.role for line in document.lines if line.text.strip()}


def tables(document: ParsedDocument) -> list[tuple[str | None, int, list[str]]]:
    return [(t.caption, t.header_rows, [cell.text for cell in t.cells]) for t in document.tables]


def test_rst_is_read_by_its_marks() -> None:
    """Code, comments, notes and captions of reStructuredText are told apart."""
    found = roles(parse("rst", made.RST))

    assert found["moor --fast"] == "code"
    assert found[".. a comment"] == "metadata"
    assert found[".. note:: Keep the lines dry."] == "body"
    assert found[".. [1] Measured in 2030."] == "footnote"
    assert found["Mooring"] == "heading"


def test_rst_tables_of_every_kind_have_cells() -> None:
    """Simple tables, drawn grids and lists of lists are tables."""
    assert tables(parse("rst", made.RST)) == [
        (None, 1, ["Pier", "Length", "North", "40 m", "South", "35 m"]),
        ("Prices", 1, ["Boat", "Price", "Small", "14 crowns", "Large", "20 crowns"]),
        ("Crew", 0, ["Ship", "Sailors", "Alpha", "20"]),
    ]


def test_asciidoc_is_read_by_its_marks() -> None:
    """Listings hold no headings, attributes and comments are not searched, tables have cells."""
    document = parse("asciidoc", made.ASCIIDOC)
    found = roles(document)

    assert [section.breadcrumb for section in document.toc] == [("Guide",), ("Guide", "Mooring")]
    assert (found["# not a heading"], found["// a comment"], found[":revdate: 2031-01-02"]) == (
        "code", "metadata", "metadata",
    )  # fmt: skip
    assert tables(document) == [("Prices", 1, ["Boat", "Price", "Small", "14 crowns", "Large", "20 crowns"])]
    assert document.metadata["revdate"] == "2031-01-02"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.py", made.CODE, "class Boat, def fee, def moor"),
        ("a.py", '"""\ndef no(): pass\n"""\n# class No:\nasync def yes(): ...\n', "def yes"),
        ("a.ts", "export class Boat {\n  moor(fast: boolean): void {\n  }\n}\n", "class Boat, moor"),
        ("a.js", "const pay = (n) => n;\nif (x) {\n}\nfor (;;) {\n}\n", "pay"),
        ("a.go", "type Boat struct {\n}\nfunc (b *Boat) Moor() error {\n\treturn nil\n}\n", "type Boat, func Moor"),
        ("a.rs", "pub struct Boat;\nimpl Boat {\n    pub fn moor(&self) {}\n}\n", "struct Boat, impl Boat, fn moor"),
        ("a.java", "public class Boat {\n  public int fee(int n) {\n    return pay(n);\n  }\n}\n", "class Boat, fee"),
        ("a.c", "int moor(struct boat *b)\n{\n  return pay(b);\n}\n#define FEE(x) (x)\n", "moor, define FEE"),
        ("a.sql", "CREATE TABLE IF NOT EXISTS boats (\n  id INTEGER\n);\nselect 1;\n", "TABLE boats"),
        ("a.sh", "moor() {\n  echo hi\n}\nfunction pay {\n}\n", "moor, function pay"),
        (
            "a.rb",
            "module Harbour\n  class Boat\n    def fee?\n    end\n  end\nend\n",
            "module Harbour, class Boat, def fee?",
        ),
    ],
)
def test_symbols_are_sections(name: str, text: str, expected: str) -> None:
    """A function is found by its name, and a cite in it says which it is."""
    assert [section.title for section in parse("code", text, name).toc] == expected.split(", ")


def test_a_method_is_below_its_class() -> None:
    """What is indented belongs to what it is indented under; decorators belong to what they decorate."""
    document = parse("code", made.CODE, "a.py")
    fee = document.toc[1]

    assert fee.breadcrumb == ("class Boat", "def fee")
    assert document.lines[(fee.start_line or 1) - 1].text.strip() == "@property"


@given(st.sampled_from(["rst", "asciidoc", "code"]), st.text(st.sampled_from("=-~+|. \n:*a`[]1#/\t"), max_size=200))
def test_any_marks_are_read(parser: str, text: str) -> None:
    """However marks are mixed, every line is kept as it stands, and every cell stands on lines that are there."""
    document = parse(parser, text)

    assert "\n".join(line.text for line in document.lines) == text.removesuffix("\n")
    assert all(0 < line_id <= len(document.lines) for t in document.tables for c in t.cells for line_id in c.line_ids)
