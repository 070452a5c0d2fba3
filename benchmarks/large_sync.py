"""A folder of large PDFs synced, killed at random points and gone on with: it has to end as if undisturbed."""

import hashlib
import io
import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pikepdf

N_FILES, N_PAGES, N_KILLS = 50, 500, 8
#: Tables whose rows make up the state of a library; ids that are counted up and times are left out.
_STATE = {
    "documents": "doc_id, name, uri, media_type, content_hash, bytes, parser, n_pages, n_lines, status, metadata,"
    " parsing_summary, origin",
    "pages": "*",
    "lines": "*",
    "toc": "*",
    "tables": "*",
    "cells": "*",
    "images": "*",
    "objects": "*",
    '"references"': "*",
    "passages": "doc_id, first_line_id, last_line_id, section_id, breadcrumb, kind, text, text_hash",
}
_WORDS = "harbour gauge lock crane berth tide quay pilot ferry rope anchor signal light depth draught fee".split()


def fill(folder: Path, *, n_files: int = N_FILES, n_pages: int = N_PAGES) -> None:
    """Write PDFs whose pages have a heading and 40 lines, no two alike; the same every time."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(n_files):
        (folder / f"report{number:02}.pdf").write_bytes(_pdf(random.Random(number), number, n_pages))  # noqa: S311 - no secret


def _pdf(chance: random.Random, number: int, n_pages: int) -> bytes:
    with pikepdf.new() as pdf:
        font = pdf.make_indirect(
            pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        )
        for page_num in range(1, n_pages + 1):
            rows = [f"({' '.join(chance.choices(_WORDS, k=9))} {chance.randrange(10_000)}.) ' " for _ in range(40)]
            text = f"BT /F 16 Tf 72 740 Td 16 TL (Chapter {page_num} of report {number}) Tj /F 10 Tf {''.join(rows)}ET"
            page = pdf.add_blank_page(page_size=(595, 842))
            page.Contents = pdf.make_stream(text.encode())
            page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True)
    return out.getvalue()


def state_of(library: Path) -> dict[str, str]:
    """Return a digest of each table of a library, and of the originals it keeps."""
    digests: dict[str, str] = {}
    with sqlite3.connect(f"file:{library / 'pincite.sqlite'}?mode=ro", uri=True) as database:
        for table, columns in _STATE.items():
            # Rows in an order that does not depend on when they were written.
            rows = sorted(repr(row) for row in database.execute(f"SELECT {columns} FROM {table}"))  # noqa: S608
            digests[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()[:12] + f" ({len(rows):,} rows)"
    kept = sorted(path.name for path in (library / "originals").rglob("*") if path.is_file())
    digests["originals"] = hashlib.sha256(repr(kept).encode()).hexdigest()[:12] + f" ({len(kept)} files)"
    return digests


def killed_and_resumed(command: list[str], *, longest_s: float, n_kills: int = N_KILLS) -> dict[str, Any]:
    """Run a command, kill it at random points, then let it end; return what the last run printed."""
    chance = random.Random(7)  # noqa: S311 - no secret
    for kill in range(1, n_kills + 1):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wait_s = chance.uniform(0.3, longest_s)
        try:
            process.communicate(timeout=wait_s)
            print(f"  run {kill} ended before its {wait_s:.1f} s were over", flush=True)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            print(f"  run {kill} killed after {wait_s:.1f} s", flush=True)
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def run(scratch: Path, script: str, *, n_files: int = N_FILES, n_pages: int = N_PAGES) -> bool:
    """Sync undisturbed, with a fifth of the files, and with kills; print what each cost; say whether the ends agree."""
    folder, few = scratch / "large", scratch / "few"
    fill(folder, n_files=n_files, n_pages=n_pages)
    fill(few, n_files=n_files // 5, n_pages=n_pages)
    size_mb = sum(path.stat().st_size for path in folder.iterdir()) / 2**20
    print(f"{n_files} PDFs of {n_pages} pages, {size_mb:,.0f} MB", flush=True)

    def command(docs: Path, library: str) -> list[str]:
        return [sys.executable, script, "--once", str(docs), str(scratch / library)]

    def undisturbed(docs: Path, library: str) -> dict[str, Any]:
        ended = subprocess.run(command(docs, library), check=True, capture_output=True, text=True)
        found: dict[str, Any] = json.loads(ended.stdout)
        pages = len(list(docs.iterdir())) * n_pages
        print(
            f"{library}: {found['s']:.0f} s, {pages / found['s']:,.0f} pages/s, {found['mb']:.0f} MB, "
            f"largest child {found['child_mb']:.0f} MB",
            flush=True,
        )
        return found

    undisturbed(few, "fifth")
    whole = undisturbed(folder, "undisturbed")
    began = time.perf_counter()
    last = killed_and_resumed(command(folder, "killed"), longest_s=whole["s"] / 4)
    print(f"killed: {time.perf_counter() - began:.0f} s in all; the last run took {last['s']:.0f} s")
    one, other = state_of(scratch / "undisturbed"), state_of(scratch / "killed")
    for table, digest in one.items():
        print(f"  {'same' if digest == other[table] else 'DIFFERENT'}  {table}: {digest} / {other[table]}")
    return one == other
