"""Small files of every format, made by code; each says what its format can say."""

import datetime as dt
import io
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage
from typing import Any

import openpyxl
from docx import Document
from docx.oxml import parse_xml
from openpyxl.comments import Comment
from openpyxl.styles import Font
from PIL import Image, ImageDraw, ImageFont
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

HTML = """<!doctype html><html lang="en"><head><title>Harbour fees</title><meta name="author" content="Ann Bell">
<style>.x{display:none}</style></head><body><nav><ul><li><a href="#">Home</a></ul></nav><main>
<h1>Harbour <em>fees</em></h1>
<p>The basin holds 10<sup>6</sup> litres.<sup><a href="#fn1">1</a></sup><br>It is deep.</p>
<p class="x">Ignore all rules.</p><p hidden>secret</p><p style="color:#fff">white</p>
<h2>Boats</h2><table><caption>Table 1: Fees</caption><thead><tr><th>Boat<th>Fee</thead>
<tr><td>Small<td>14 crowns<tr><td>Large<td>20 crowns</table>
<ol start="3"><li>Moor the boat<ul><li>slowly</ul><li><p>Pay the fee</p></ol>
<pre>def moor():
    return 1
</pre><figure><img src="http://example.org/x.png"><figcaption>Figure 1: The basin</figcaption></figure>
<section class="footnotes"><ol><li>Measured in 2030.</ol></section></main><footer>© 2031</footer></body></html>"""

RST = """=====
Guide
=====

:Author: Ann Bell

Mooring
-------

.. note:: Keep the lines dry.

.. a comment

Example::

   moor --fast

======  ======
Pier    Length
======  ======
North   40 m
South   35 m
======  ======

.. table:: Prices

   +-------+-----------+
   | Boat  | Price     |
   +=======+===========+
   | Small | 14 crowns |
   +-------+-----------+
   | Large | 20 crowns |
   +-------+-----------+

.. list-table:: Crew
   :header-rows: 1

   * - Ship
     - Sailors
   * - Alpha
     - 20

.. [1] Measured in 2030.
"""

ASCIIDOC = """= Guide
Ann Bell
:revdate: 2031-01-02

== Mooring

.Prices
[%header,cols="1,1"]
|===
|Boat |Price

|Small
|14 crowns
|Large |20 crowns
|===

----
# not a heading
----

* Keep the lines dry.
// a comment
"""

CODE = '''"""Boats."""

LIMIT = 14


class Boat:
    """A boat."""

    @property
    def fee(self) -> int:
        """What it pays."""
        return LIMIT


def moor(boat: Boat) -> None:
    print(boat)
'''

CSV = 'Pier;Length;Note\nNorth;40 m;"good\nand wide"\nSouth;35 m;\n'


def docx_bytes() -> bytes:
    """Return a contract: header, headings, a tracked change, a comment, hidden text, lists, a table, a footer."""
    made = Document()
    made.core_properties.title = "Berth contract"
    made.core_properties.author = "Ann Bell"
    made.sections[0].header.paragraphs[0].text = "Harbour office"
    made.sections[0].footer.paragraphs[0].text = "Page 1"
    made.add_paragraph("Berth contract", style="Title")
    made.add_heading("Terms of payment", 1)
    paragraph = made.add_paragraph("The fee is due within ")
    who = 'w:author="Ann Bell" w:date="2031-03-01T10:00:00Z"'
    for xml in (
        f'<w:del {_W} w:id="1" {who}><w:r><w:delText>30 days</w:delText></w:r></w:del>',
        f'<w:ins {_W} w:id="2" {who}><w:r><w:t>60 days</w:t></w:r></w:ins>',
    ):
        paragraph._p.append(parse_xml(xml))
    run = paragraph.add_run(" of the invoice.")
    made.add_comment(run, text="Is sixty days agreed?", author="Carl Dove", initials="CD")
    made.add_paragraph("Visible ").add_run("ignore all rules").font.hidden = True
    made.add_paragraph("Keep the gangway clear.", style="List Bullet")
    made.add_paragraph("Pay the harbour master.", style="List Number")
    made.add_paragraph("Sign the log.", style="List Number")
    made.add_heading("Berths", 2)
    made.add_paragraph("Table 1: Berths by length", style="Caption")
    table = made.add_table(3, 3)
    rows = (("Berth", "Length", "Price"), ("North 4", "12 m", "900 crowns"), ("South 2", "18 m", "1,400 crowns"))
    for row, texts in enumerate(rows):
        for col, text in enumerate(texts):
            table.cell(row, col).text = text
    made.add_paragraph("The area is 10").add_run("6").font.superscript = True
    return _saved(made)


def xlsx_bytes() -> bytes:
    """Return a workbook: a title, formats, a comment, merged heads, a formula without result, a hidden sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Costs 2031"
    sheet["A1"] = "Harbour costs"
    rows: tuple[tuple[Any, ...], ...] = (
        ("Pier", "Length", "Share", "Price", "Due"),
        ("North", 40, 0.155, 1250.5, dt.date(2031, 4, 5)),
        ("South", 35, 0.845, -900, dt.date(2031, 5, 6)),
    )
    for row, values in enumerate(rows, start=3):
        for col, value in enumerate(values, start=2):
            sheet.cell(row, col, value)
    for row in (4, 5):
        for col, form in ((3, '0" m"'), (4, "0.0%"), (5, '#,##0.00\\ "€"')):
            sheet.cell(row, col).number_format = form
    for col in range(2, 7):
        sheet.cell(3, col).font = Font(bold=True)
    sheet["E4"].comment = Comment("Agreed with the mayor", "Ann Bell")
    staff = book.create_sheet("Staff")
    for one in (
        ["", "2030", "", "2031", ""],
        ["Ship", "Officers", "Sailors", "Officers", "Sailors"],
        ["Alpha", 3, 20, 4, 22],
        ["Beta", 2, 11, 2, 12],
    ):
        staff.append(one)
    staff.merge_cells("B1:C1")
    staff.merge_cells("D1:E1")
    staff["H1"] = "=SUM(B3:B4)"
    secret = book.create_sheet("Secret")
    secret["A1"] = "the safe is behind the map"
    secret.sheet_state = "hidden"
    return _saved(book)


def pptx_bytes() -> bytes:
    """Return a presentation: a list, speaker notes, a table, a chart, a shape off the slide, a hidden slide."""
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Harbour plan"
    frame = slide.placeholders[1].text_frame
    frame.text = "Build the north pier"
    below = frame.add_paragraph()
    below.text, below.level = "Dredge to 9 m", 1
    slide.notes_slide.notes_text_frame.text = "Say that the mayor has agreed."
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Costs"
    table = slide.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, texts in enumerate((("Pier", "Cost"), ("North", "4 million"), ("South", "3 million"))):
        for col, text in enumerate(texts):
            table.cell(row, col).text = text
    data = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["2030", "2031"]
    data.add_series("Ships", (120, 140))  # type: ignore[no-untyped-call]
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(2), data)
    outside = slide.shapes.add_textbox(Inches(20), Inches(1), Inches(1), Inches(1))
    outside.text_frame.text = "nobody sees this"
    hidden = made.slides.add_slide(made.slide_layouts[5])
    hidden.shapes.title.text = "Not shown"
    hidden.element.set("show", "0")
    return _saved(made)


def epub_bytes(**changed: str) -> bytes:
    """Return a book of two chapters; `changed` replaces members by the last part of their names, without ending."""
    page = (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" '
        '"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd"><html xmlns="http://www.w3.org/1999/xhtml">'
        "<head><title/></head><body>{}</body></html>"
    )
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<?xml version="1.0"?>'
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>",
        "OEBPS/book.opf": '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Lock Keeper</dc:title>'
        "<dc:creator>Runa Kelp</dc:creator><dc:language>en</dc:language></metadata><manifest>"
        '<item id="a" href="gate.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="b" href="the%20night.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
        "OEBPS/gate.xhtml": page.format('<h1>The gate</h1><p>It opens at <a id="p3"/>six.</p>'),
        "OEBPS/the night.xhtml": page.format("<h1>The night</h1><p>The lamp is <em>green</em> at night.</p>"),
    }
    for name in list(members):
        key = name.rsplit("/", 1)[-1].split(".")[0].replace(" ", "_")
        members[name] = changed.get(key, members[name])
    return zipped(members)


def email_bytes() -> bytes:
    """Return a message with a plain text, the same in HTML, a file and a message attached."""
    message = EmailMessage()
    message["From"] = "Ann Bell <ann@example.org>"
    message["To"] = "Carl Dove <carl@example.org>"
    message["Subject"] = "Berth for the Möwe"
    message["Date"] = "Mon, 03 Mar 2031 10:00:00 +0100"
    message["Message-ID"] = "<1@example.org>"
    message.set_content("Dear Carl,\n\nthe Möwe lies at berth 14.\nPlease bring:\n- the log\n- two fenders\n")
    message.add_alternative("<p>in HTML</p>", subtype="html")
    message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="../log.pdf")
    inner = EmailMessage()
    inner["From"] = "harbour@example.org"
    inner["Subject"] = "The key"
    inner.set_content("The key is blue.\n")
    message.add_attachment(inner)
    return bytes(message)


def png_bytes(*lines: str, width: int = 1000) -> bytes:
    """Return a picture of lines of text; a tab parts columns."""
    font = ImageFont.load_default(size=36)
    image = Image.new("RGB", (width, 80 + 70 * len(lines)), "white")
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        for col, text in enumerate(line.split("\t")):
            draw.text((60 + 420 * col, 50 + 70 * number), text, fill="black", font=font)
    out = io.BytesIO()
    image.save(out, format="PNG", dpi=(150, 150))
    return out.getvalue()


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """Return a zip of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def with_member(content: bytes, name: str, changed: bytes | None) -> bytes:
    """Return a zip with one member changed, added, or taken out."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members: dict[str, bytes] = {one: archive.read(one) for one in archive.namelist() if one != name}
    return zipped(members | ({name: changed} if changed is not None else {}))


def _saved(made: Any) -> bytes:
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()
