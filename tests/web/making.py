"""Documents made for the tests of the web page, and `pincite serve` as a process of its own."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import openpyxl
import pikepdf
from pikepdf import Array, Dictionary, Name

#: Where screenshots go; git ignores it.
SHOTS = Path(__file__).parent / "out"
#: What would run if any text of a document became HTML.
HOSTILE = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"

LEASE_1 = (
    "# Lease of the boathouse",
    "",
    "# 1 Rent",
    "The rent of the boathouse is 1,250 EUR a month.",
    "It is paid on the first working day of each month.",
    "",
    "# 2 Notice",
    "The notice period is three months.",
    "Either party may give notice in writing.",
)
LEASE_2 = (
    "# 3 Term",
    "The lease begins on 3 March 2025.",
    "Subletting is not allowed.",
    "",
    "# 4 Keys",
    "The keys of the boathouse are:",
    "the gate key,",
    "the shed key,",
    "the locker key.",
)
PLAN = """# Plans

| Plan | Price | Seats |
| --- | --- | --- |
| Basic | 10 EUR | 3 |
| Team | 25 EUR | 10 |

## Basic

The Basic plan costs 10 EUR a month and renews every month.

## Team

The Team plan costs 25 EUR a month. Refunds are not possible.
"""


def pdf_of(*pages: Sequence[str], title: str = "", first_label: int | None = None) -> bytes:
    """Return a PDF with a page for each sequence of lines, 24 pt apart in Helvetica: 12 pt, after "# " 16 pt."""
    pdf = pikepdf.new()
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    for lines in pages:
        page = pdf.add_blank_page(page_size=(420, 595))
        page.Resources = Dictionary(Font=Dictionary(F=font))
        drawn = []
        for at, line in enumerate(lines):
            safe = re.sub(r"([\\()])", r"\\\1", line.removeprefix("# "))
            drawn.append(f"BT /F {16 if line.startswith('# ') else 12} Tf 60 {595 - 84 - 24 * at} Td ({safe}) Tj ET")
        page.Contents = pdf.make_stream("\n".join(drawn).encode("latin-1"))
    if first_label is not None:
        label = Dictionary(S=Name.D, St=first_label)
        pdf.Root.PageLabels = Dictionary(Nums=Array([0, label]))
    if title:
        pdf.docinfo["/Title"] = title
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()


def lease() -> bytes:
    """Return a lease of two pages, whose printed numbers begin at 11."""
    return pdf_of(LEASE_1, LEASE_2, title="Lease", first_label=11)


def thousand_pages() -> bytes:
    """Return a PDF of 1,000 pages; each says which it is."""
    return pdf_of(*[(f"Page {n} of the long report", f"The mark of sheet {n} is M{n:04d}.") for n in range(1, 1001)])


def sheet() -> bytes:
    """Return a workbook with one sheet of costs."""
    book = openpyxl.Workbook()
    costs = book.active
    assert costs is not None
    costs.title = "Costs"
    for row in (("Item", "2025", "2026"), ("Rent", 15000, 15600), ("Power", 900, 850)):
        costs.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def made_documents(folder: Path) -> Path:
    """Write the documents of the tests to a folder and return it."""
    folder.mkdir()
    (folder / "lease.pdf").write_bytes(lease())
    (folder / "long.pdf").write_bytes(thousand_pages())
    (folder / "costs.xlsx").write_bytes(sheet())
    (folder / "plan.md").write_text(PLAN)
    (folder / "limits.py").write_text("# The limit of requests is 42 a minute.\nLIMIT = 42\n")
    # A slash cannot be in a name: the closing tags are left out, an image runs without them.
    hostile = pdf_of(
        (f"# {HOSTILE[:34]}", "The hostile fee is 77 EUR <script>document.title='run'</script>"), title=HOSTILE
    )
    (folder / "<img src=x onerror=document.title='run'>.pdf").write_bytes(hostile)
    return folder


def new_token(library: Path, *options: str) -> str:
    """Make a token for the library on the command line, and return it."""
    made = subprocess.run(
        [*_PINCITE, "token", "new", "--library", str(library), *options], capture_output=True, text=True, check=True
    )
    found = re.search(r"pct_\S+", made.stdout)
    assert found is not None
    return found.group()


#: The command that the installed script runs.
_PINCITE = [sys.executable, "-c", "import sys; from pincite.interfaces.cli import main; sys.exit(main())"]


@contextmanager
def serving(library: Path, *options: str) -> Iterator[str]:
    """Run `pincite serve` on a free port while the block runs, and give its address."""
    environment = {**os.environ, "PINCITE_EMBEDDER": "none"}
    command = [*_PINCITE, "--library", str(library), "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait(300)
