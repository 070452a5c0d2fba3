"""Pictures of pages, and originals as downloads."""

import io
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tests.interfaces.http.conftest import PDF, Server

from pincite.errors import CorruptFileError
from pincite.interfaces.http.downloads import disposition, file_name
from pincite.interfaces.http.drawing import Drawers, Sheet
from pincite.interfaces.http.pictures import PictureCache


def picture(reply: Any) -> Image.Image:
    """Return the picture of a reply."""
    assert reply.headers["content-type"] == "image/png"
    return Image.open(io.BytesIO(reply.content)).convert("RGB")


@pytest.mark.parametrize(("scale", "size"), [(0.1, (61, 79)), (0.73, (447, 578)), (1, (612, 792)), (2, (1224, 1584))])
def test_a_page_is_drawn_at_the_scale_asked(
    filled: Server, ids: dict[str, str], scale: float, size: tuple[int, int]
) -> None:
    """At scale 1 a point is a pixel, so that boxes of lines fit the picture."""
    path = f"/v1/documents/{ids['framework.pdf']}/pages/6.png"
    drawn = picture(filled.client.get(path, params={"scale": scale})).size

    assert all(abs(got - wanted) <= 1 for got, wanted in zip(drawn, size, strict=True)), drawn


def test_marked_lines_are_marked_and_nothing_else(filled: Server, ids: dict[str, str]) -> None:
    """The pixels that differ from the plain page lie in the boxes of the lines that were named."""
    path = f"/v1/documents/{ids['framework.pdf']}"
    lines = filled.client.get(f"{path}/lines", params={"page": 6}).json()["lines"]
    wanted = [line["box"] for line in lines if 5 <= line["line_num"] <= 6]
    plain = picture(filled.client.get(f"{path}/pages/6.png", params={"scale": 1}))
    marked = picture(filled.client.get(f"{path}/pages/6.png", params={"scale": 1, "lines": "5-6"}))

    changed = [
        (x, y)
        for y in range(plain.height)
        for x in range(plain.width)
        if plain.getpixel((x, y)) != marked.getpixel((x, y))
    ]

    assert len(changed) > 0.5 * sum((box["x1"] - box["x0"]) * (box["y1"] - box["y0"]) for box in wanted)
    for x, y in changed:
        assert any(b["x0"] - 2 <= x <= b["x1"] + 2 and b["y0"] - 2 <= y <= b["y1"] + 2 for b in wanted), (x, y)


def test_a_browser_need_not_fetch_a_picture_twice(filled: Server, ids: dict[str, str]) -> None:
    """A picture has a tag: who shows it gets 304; other lines or another scale have another tag."""
    path = f"/v1/documents/{ids['framework.pdf']}/pages/6.png"
    first = filled.client.get(path, params={"scale": 1})
    again = filled.client.get(path, params={"scale": 1}, headers={"If-None-Match": first.headers["etag"]})
    other = filled.client.get(path, params={"scale": 1, "lines": "5"}, headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, again.status_code, again.content, other.status_code) == (200, 304, b"", 200)
    assert first.headers["cache-control"].startswith("private")


@pytest.mark.parametrize(
    ("name", "page", "params", "status", "code"),
    [
        ("handbook.md", "1", {}, 404, "no_page_pictures"),
        ("framework.pdf", "33", {}, 404, "unknown_page"),
        ("framework.pdf", "0", {}, 404, "unknown_page"),
        ("framework.pdf", "99999999999999999999999", {}, 404, "unknown_page"),
        ("framework.pdf", "x", {}, 404, "not_found"),
        ("framework.pdf", "1", {"scale": "5"}, 422, "invalid_request"),
        ("framework.pdf", "1", {"scale": "nan"}, 422, "invalid_request"),
        ("framework.pdf", "1", {"lines": "a-b"}, 422, "invalid_request"),
        ("framework.pdf", "1", {"lines": ",".join(["1"] * 300)}, 422, "invalid_request"),
    ],
)
def test_what_cannot_be_drawn_says_so(
    filled: Server, ids: dict[str, str], name: str, page: str, params: dict[str, str], status: int, code: str
) -> None:
    """A format without pictures says to use the lines; a page, scale or line that cannot be is told."""
    reply = filled.client.get(f"/v1/documents/{ids[name]}/pages/{page}.png", params=params)

    assert (reply.status_code, reply.json()["code"]) == (status, code)
    if code == "no_page_pictures":
        assert f"/v1/documents/{ids[name]}/lines" in reply.json()["detail"]


def test_a_picture_is_a_document_with_a_page(server: Server) -> None:
    """A picture that was added can be drawn like a page."""
    out = io.BytesIO()
    Image.new("RGB", (300, 100), "white").save(out, "PNG")
    doc_id = server.add("sign.png", out.getvalue())

    assert picture(server.client.get(f"/v1/documents/{doc_id}/pages/1.png", params={"scale": 1})).size[0] > 10


@pytest.mark.parametrize(
    "name", ["a.pdf", 'say "hi".pdf', "naïve 名前.pdf", "x" * 296 + ".pdf", "evil\u202efdp.exe.pdf", "50%.pdf"]
)
def test_an_original_is_downloaded_under_its_name(server: Server, name: str) -> None:
    """The bytes are those that were added, and the header names them in one harmless line."""
    doc_id = server.add(name, PDF.read_bytes())
    reply = server.client.get(f"/v1/documents/{doc_id}/original")

    assert reply.content == PDF.read_bytes()
    assert read_name(reply.headers["content-disposition"]) == file_name(name)
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_only_pages_and_pictures_are_shown_inline(filled: Server, ids: dict[str, str]) -> None:
    """What a browser could run is only ever downloaded, as bytes without a type."""
    pdf = filled.client.get(f"/v1/documents/{ids['framework.pdf']}/original", params={"inline": 1})
    text = filled.client.get(f"/v1/documents/{ids['handbook.md']}/original", params={"inline": 1})

    assert (pdf.headers["content-type"], pdf.headers["content-disposition"][:6]) == ("application/pdf", "inline")
    assert text.headers["content-type"] == "application/octet-stream"
    assert text.headers["content-disposition"].startswith("attachment")


def read_name(header: str) -> str:
    """Return the name that a browser reads in a Content-Disposition."""
    parts = re.fullmatch(
        r"(?:attachment|inline); filename=\"[^\"\\]*\"; filename\*=UTF-8''([\w.~%-]*)", header, re.ASCII
    )
    assert parts is not None, header
    return unquote(parts.group(1), errors="strict")


@given(name=st.text(max_size=400))
def test_any_name_makes_a_header_of_one_line(name: str) -> None:
    """Whatever a document is called, the header is printable ASCII, and reads back as the cleaned name."""
    header = disposition(name)

    assert header.isascii()
    assert header.isprintable()
    assert read_name(header) == file_name(name)
    assert len(file_name(name).encode()) <= 200


@given(sizes=st.lists(st.integers(0, 60), max_size=30))
def test_kept_pictures_never_take_more_than_their_share(sizes: list[int]) -> None:
    """However many pictures are drawn, those that are kept have a bounded size, and the newest is among them."""
    cache = PictureCache(100)
    for number, size in enumerate(sizes):
        cache.keep(str(number), b"x" * size)
        assert cache.n_bytes <= 100
        assert cache.get(str(number)) == b"x" * size


def sheet_of(path: Path, page_num: int = 1) -> Sheet:
    """Return the sheet of a page of a file."""
    return Sheet(path=os.fsencode(path), name=path.name, page_num=page_num, dpi=72)


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_page_that_never_ends_costs_only_itself(tmp_path: Path) -> None:
    """A page that is not drawn in time is told so; its process is gone, and the next page is drawn by another."""
    os.mkfifo(tmp_path / "endless.pdf")
    hurried, patient = Drawers(timeout_s=0.5), Drawers()
    with pytest.raises(CorruptFileError, match=r"endless\.pdf, page 1: it was not drawn"):
        hurried.draw(sheet_of(tmp_path / "endless.pdf"))
    hurried.close()

    assert (patient.draw(sheet_of(PDF)).content or b"")[:4] == b"\x89PNG"
    patient.close()


def test_a_process_that_died_is_replaced() -> None:
    """A drawing process that was killed while it was idle fails no page."""
    drawers = Drawers()
    first = drawers.draw(sheet_of(PDF))
    child = drawers._idle.get_nowait()
    child._process.kill()
    child._process.wait()
    drawers._idle.put(child)

    assert drawers.draw(sheet_of(PDF)) == first
    drawers.close()


@pytest.mark.parametrize(("content", "picture"), [(b"no picture at all", None), (b"%PDF-1.7 broken", CorruptFileError)])
def test_what_cannot_be_drawn_is_told_by_its_process(tmp_path: Path, content: bytes, picture: Any) -> None:
    """An original that is no page is none; one that is broken is an error with its name, and the process lives on."""
    (tmp_path / "a.pdf").write_bytes(content)
    drawers = Drawers()
    if picture is None:
        assert drawers.draw(sheet_of(tmp_path / "a.pdf")).content is None
    else:
        with pytest.raises(picture, match=r"a\.pdf"):
            drawers.draw(sheet_of(tmp_path / "a.pdf"))
    assert drawers._idle.qsize() == 1
    drawers.close()


def test_head_says_what_get_would_send(filled: Server, ids: dict[str, str]) -> None:
    """HEAD of pictures and downloads has the headers of GET, with the length, and no body."""
    trace_id = filled.client.post("/v1/ask", json={"question": "What is the notice period?"}).json()["trace_id"]
    for path in (
        f"/v1/documents/{ids['framework.pdf']}/pages/1.png?scale=0.5",
        f"/v1/documents/{ids['framework.pdf']}/original",
        f"/v1/documents/{ids['handbook.md']}/original",
        f"/v1/answers/{trace_id}/export?format=md",
    ):
        got, head = filled.client.get(path), filled.client.head(path)
        assert (got.status_code, head.status_code, head.content) == (200, 200, b"")
        for name in ("content-type", "content-length", "etag", "content-disposition", "cache-control"):
            assert head.headers.get(name) == got.headers.get(name), (path, name)
    missing = filled.client.head(f"/v1/documents/{ids['framework.pdf']}/pages/999.png")
    assert (missing.status_code, missing.content) == (404, b"")
