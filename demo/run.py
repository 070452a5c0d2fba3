"""Ask the bundled NIST Cybersecurity Framework three questions and draw the cites."""

import os
import shutil
from pathlib import Path

from rich.console import Console

from pincite import Answer, Library
from pincite.rendering.terminal import print_result

DEMO = Path(__file__).resolve().parent
DOCUMENT = DEMO / "NIST.CSWP.29.pdf"
OUT = DEMO / "out"
LIST, DEFINITION, WITHOUT_ANSWER = (
    "What are the functions of the CSF Core?",
    "What is a CSF Community Profile?",
    "What fine applies for non-compliance?",
)


def main() -> None:
    """Add the document to a fresh library, ask, and draw."""
    console = Console(markup=False, highlight=False, emoji=False)
    shutil.rmtree(OUT, ignore_errors=True)
    with Library(OUT / "library") as library:
        added = library.add(DOCUMENT).added[0]
        console.print(f"Added {added.name}: {added.n_pages} pages, {added.n_lines:,} lines, all with their places.")
        drawn = []
        for question in (LIST, DEFINITION, WITHOUT_ANSWER):
            console.rule(style="dim")
            result = library.ask(question)
            print_result(result, console)
            if question == LIST and isinstance(result, Answer):
                drawn += [result.highlight(OUT / "functions.pdf"), result.highlight(OUT / "functions.html")]
            if question == DEFINITION and isinstance(result, Answer):
                drawn.append(result.highlight(OUT / "profile.png"))
        console.rule(style="dim")
        console.print("The cites, drawn:")
        for path in drawn:
            console.print(f"  {os.path.relpath(path)}", soft_wrap=True)


if __name__ == "__main__":
    main()
