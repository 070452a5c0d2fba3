"""How well scans are read: pages of digital PDFs drawn with noise and slant, read by each engine.

    python benchmarks/ocr.py [--pages 12] [--engine tesseract|rapidocr] [--verbose]

Pages of running text are taken from the filings of `PINCITE_BENCH` (../shared/bench), drawn grey at 200 dots per inch,
slanted by up to 1.2 degrees, blurred, covered with noise and saved as JPEG. Prints the share of wrong words (edit
distance to the words of the text layer, divided by their number), the same without regard to order, and pages per
second of one process with the engine loaded.
"""

import argparse
import io
import os
import random
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageFilter
from rapidfuzz.distance import Levenshtein

from pincite.parsing.ocr import OcrOptions
from pincite.parsing.ocr_engines import engine_for
from pincite.parsing.pdf import PdfiumParser
from pincite.types.document import FURNITURE

BENCH = Path(os.environ.get("PINCITE_BENCH", Path(__file__).resolve().parents[2] / "shared" / "bench"))
DPI, NOISE, SLANT, BLUR, QUALITY = 200, 18.0, 1.2, 0.6, 55
#: Pages of running text: so many words at least, in lines of so many words on the whole.
_WORDS, _WORDS_A_LINE = 250, 8


def words(text: str) -> list[str]:
    """Return the words of a text as they are compared: without marks, in one case, hyphens at line ends joined."""
    joined = re.sub(r"(?<=[^\W\d_])[-\u2010]\n", "", text)
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", joined).casefold())


def pages(n: int) -> Iterator[tuple[str, int, list[str], Image.Image]]:
    """Yield pages of running text, one from each filing in turn: file, page number, words, picture."""
    files = sorted((BENCH / "financebench" / "docs").glob("*.pdf"))
    for file in files[:: max(1, len(files) // n)][:n]:
        with pdfium.PdfDocument(file) as pdf:
            chosen = [min(len(pdf) - 1, place) for place in range(8, 30)]
            part = pdfium.PdfDocument.new()
            part.import_pages(pdf, chosen)
            out = io.BytesIO()
            part.save(out)
            part.close()
        document = PdfiumParser().parse(out.getvalue(), name=file.name, uri=file.as_uri())
        for page in document.pages:
            lines = [line for line in document.page_lines(page.page_num) if line.layer == "text"]
            running = [line for line in lines if line.role not in FURNITURE]
            text = words("\n".join(line.text for line in lines))
            tables = any(table.page_num == page.page_num for table in document.tables)
            if len(text) < _WORDS or tables or page.flags or page.n_columns > 1:
                continue
            if sum(len(line.text.split()) for line in running) < _WORDS_A_LINE * len(running):
                continue
            with pdfium.PdfDocument(out.getvalue()) as pdf:
                picture = pdf[page.page_num - 1].render(scale=DPI / 72, grayscale=True).to_pil()
            yield file.name, chosen[page.page_num - 1] + 1, text, picture
            break


def scanned(picture: Image.Image, chance: random.Random) -> bytes:
    """Return a PDF of one page that is a worn scan of a picture."""
    slanted = picture.rotate(chance.uniform(-SLANT, SLANT), resample=Image.Resampling.BICUBIC, fillcolor=255)
    blurred = np.asarray(slanted.filter(ImageFilter.GaussianBlur(BLUR)), np.float32)
    noise = np.random.default_rng(chance.randrange(2**31)).normal(0, NOISE, blurred.shape)
    worn = Image.fromarray(np.clip(blurred + noise, 0, 255).astype(np.uint8))
    out = io.BytesIO()
    worn.save(out, format="PDF", resolution=DPI, quality=QUALITY)
    return out.getvalue()


def unordered_errors(truth: Sequence[str], read: Sequence[str]) -> int:
    """Return how many words are missing or too many, whichever is more."""
    a, b = Counter(truth), Counter(read)
    return max(sum((a - b).values()), sum((b - a).values()))


def main() -> None:
    """Print a line for each page with `--verbose`, and the figures of each engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--engine", choices=["tesseract", "rapidocr"], action="append")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    chance = random.Random(4)  # noqa: S311 - no secret
    made = [(name, page_num, truth, scanned(picture, chance)) for name, page_num, truth, picture in pages(given.pages)]
    for engine_name in given.engine or ["tesseract", "rapidocr"]:
        options = OcrOptions(engine=engine_name, timeout_s=600)
        engine = engine_for(options)
        if engine is None:
            print(f"{engine_name}  not installed")
            continue
        reader = PdfiumParser(ocr=options)
        reader.parse(made[0][3], name="warm", uri="file:///warm")
        wrong = unordered = total = 0
        began = time.perf_counter()
        for name, page_num, truth, content in made:
            document = reader.parse(content, name=name, uri="file:///scan.pdf")
            read = words("\n".join(line.text for line in document.lines if line.layer == "ocr"))
            here = Levenshtein.distance(truth, read)
            wrong, unordered, total = wrong + here, unordered + unordered_errors(truth, read), total + len(truth)
            if given.verbose:
                print(f"  {name} p.{page_num}: {here} of {len(truth)} words wrong", flush=True)
        seconds = time.perf_counter() - began
        print(
            f"{engine.name}, {len(made)} pages, {total:,} words  {100 * wrong / total:.1f} % of words wrong, "
            f"{100 * unordered / total:.1f} % without regard to order, {len(made) / seconds:.2f} pages/s",
            flush=True,
        )


if __name__ == "__main__":
    main()
