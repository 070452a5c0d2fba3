"""`make demo-widget`: build the widget of `passages.yaml` and serve it, under the strictest policy a site can set.

    python examples/widget/serve.py [--port 8765] [--once-built]

The passages link to pincite's own documents, so those are served too, as pages made of their Markdown.
"""

import argparse
import re
import shutil
import sys
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from pincite.interfaces.cli import main as pincite

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
OUT: Final = HERE / "out"
#: Page → the document it is made of.
PAGES: Final = {
    "README.html": ROOT / "README.md",
    "docs/CONTRIBUTING.html": ROOT / "CONTRIBUTING.md",
    "benchmarks/README.html": ROOT / "benchmarks" / "README.md",
} | {f"docs/{path.stem}.html": path for path in (ROOT / "docs").glob("*.md")}
#: No inline script, no inline style, nothing from elsewhere, no HTML made of strings.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)


class Handler(SimpleHTTPRequestHandler):
    """Serves the folder it is given, with the policy, and nothing that a browser keeps."""

    def end_headers(self) -> None:
        """Add the policy to every answer."""
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name of the standard library
        """Say nothing: the page itself shows what was asked."""


def build(out: Path) -> int:
    """Write the site, the widget and the documents into a folder; return the exit code of `pincite widget build`."""
    shutil.copytree(HERE / "site", out, dirs_exist_ok=True)
    for name, source in PAGES.items():
        page = out / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(rendered(source.read_text(encoding="utf-8"), "../" * name.count("/")), encoding="utf-8")
    return pincite(["widget", "build", str(HERE / "passages.yaml"), "--out", str(out)])


def rendered(markdown: str, root: str) -> str:
    """Return a page of a Markdown document; HTML in it stays text, headings get the names that links use."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(re.sub(r"<!--.*?-->\n?", "", markdown, flags=re.DOTALL))
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"[^\w\- ]", "", inline.content.lower()).replace(" ", "-"))
        for child in token.children or ():
            target = child.attrGet("href")
            if isinstance(target, str) and ":" not in target:
                child.attrSet("href", re.sub(r"\.md(?=#|$)", ".html", target))
    title = escape(next((token.content for token in tokens if token.type == "inline"), "pincite"))
    body = parser.renderer.render(tokens, parser.options, {})
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="{root}site.css"><main>{body}</main></html>'
    )


def serve(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a folder on the loopback address, not yet running; port 0 takes a free one."""

    def handler(*args: object) -> Handler:
        return Handler(*args, directory=str(folder))  # type: ignore[arg-type]

    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def main() -> int:
    """Build, then serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description="Serve the example of the widget.")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--build-only", action="store_true", help="write examples/widget/out and end")
    chosen = parser.parse_args()
    code = build(OUT)
    if code or chosen.build_only:
        return code
    with serve(OUT, chosen.port) as server:
        sys.stderr.write(f"http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends it)\n")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
