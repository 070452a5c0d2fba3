"""A second opinion on cites: the picture of the cited place is read, and compared with what the text layer says there.

It catches what no check of text can: a font that lies about its characters, text that is drawn over, a scan whose
hidden layer says something else.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Literal

from rapidfuzz.distance import Levenshtein

from pincite.errors import CorruptFileError, ParseError
from pincite.parsing.ocr import OcrOptions, mean_confidence, recognise
from pincite.parsing.ocr_engine import Engine, OcrError
from pincite.parsing.ocr_engines import INSTALL, engine_for
from pincite.rendering.originals import as_pdf
from pincite.rendering.page_image import Paper, paper_of
from pincite.types.answer import Refusal
from pincite.types.citation import Citation, HighlightBox
from pincite.types.record import Record
from pincite.types.trace import Bundle
from pincite.verifying import result_of

if TYPE_CHECKING:
    from PIL.Image import Image

Opinion = Literal["agrees", "differs", "unsure", "not_possible"]
#: Returns the bytes with a content hash, `None` where they are nowhere.
OriginalOf = Callable[[str], bytes | None]
#: Less of a quote's words than this in the picture: the two say different things.
_AGREES: Final = 0.8
#: An engine less sure than this of what it read says nothing against the text layer.
_SURE: Final = 0.6
#: Around a box so many points are read too: letters reach out of it, and engines want a margin.
_AROUND_PT: Final = 3.0
_MARGIN_PX: Final = 24
_WORD: Final = re.compile(r"[^\W_]+(?:[.,][0-9]+)*")


class SecondOpinion(Record, frozen=True, kw_only=True):
    """What the picture of a cited place says. `differing` are words of the quote that are not in the picture.

    `read` is the text that was recognised, by `engine`, which is as sure of it as `confidence` (0 to 1) says.
    """

    place: str
    verdict: Opinion
    reason: str | None = None
    read: str | None = None
    differing: tuple[str, ...] = ()
    confidence: float | None = None
    engine: str | None = None


def second_opinions(bundle: Bundle, original_of: OriginalOf, options: OcrOptions) -> tuple[SecondOpinion, ...]:
    """Return an opinion on each citation of a bundle, in the order of `check_bundle`."""
    result = result_of(bundle.result)
    if isinstance(result, Refusal):
        return ()
    engine = engine_for(options)
    papers: dict[tuple[str, int], Paper] = {}
    opinions = []
    for citation in (citation for item in result.items for citation in item.citations):
        if engine is None:
            opinions.append(_none(citation, f"text recognition is not installed: {INSTALL}"))
        else:
            opinions.append(_opinion(citation, original_of, engine, papers))
    return tuple(opinions)


def _none(citation: Citation, reason: str) -> SecondOpinion:
    return SecondOpinion(place=str(citation), verdict="not_possible", reason=reason)


def _opinion(
    citation: Citation, original_of: OriginalOf, engine: Engine, papers: dict[tuple[str, int], Paper]
) -> SecondOpinion:
    if not citation.boxes:
        return _none(citation, "the cite has no place on a page that could be drawn")
    try:
        read, confidence = _read(citation, original_of, engine, papers)
    except (ParseError, OcrError) as error:
        return _none(citation, str(error))
    wanted, seen = _words(citation.quote), _words(read)
    missing = _missing(wanted, seen)
    share = 1 - len(missing) / len(wanted) if wanted else 0.0
    about = {
        "place": str(citation),
        "read": " ".join(read.split())[:600],
        "confidence": round(confidence, 3),
        "engine": engine.name,
    }
    if not seen or confidence < _SURE:
        return SecondOpinion(verdict="unsure", reason="the picture cannot be read surely", **about)  # type: ignore[arg-type]
    numbers = [word for word in missing if any(char.isdigit() for char in word)]
    if share >= _AGREES and not numbers:
        return SecondOpinion(verdict="agrees", **about)  # type: ignore[arg-type]
    reason = "the picture of the place does not show what the text layer says there"
    return SecondOpinion(verdict="differs", reason=reason, differing=tuple(missing[:20]), **about)  # type: ignore[arg-type]


def _read(
    citation: Citation, original_of: OriginalOf, engine: Engine, papers: dict[tuple[str, int], Paper]
) -> tuple[str, float]:
    """Return the text that the picture of the cited boxes shows, and how sure the engine is.

    Raises:
        CorruptFileError: the original is not there, or cannot be drawn.
        OcrError: the engine failed.

    """
    texts, pieces = [], []
    for page_num in dict.fromkeys(box.page for box in citation.boxes):
        key = (citation.content_hash, page_num)
        if key not in papers:
            original = as_pdf(original_of(citation.content_hash))
            if original is None:
                message = "its original is in no library here; name one with --library"
                raise CorruptFileError(message, origin=citation.doc_name)
            papers[key] = paper_of(original, page_num, dpi=engine.dpi, name=citation.doc_name)
        boxes = [box for box in citation.boxes if box.page == page_num]
        found = recognise(_cut(papers[key], boxes), engine)
        texts += [" ".join(piece.text for piece in row) for row in found.rows]
        pieces += [piece for row in found.rows for piece in row]
    return "\n".join(texts), mean_confidence(pieces)


def _cut(paper: Paper, boxes: Sequence[HighlightBox]) -> "Image":
    """Return the picture of the boxes with a white margin; what stands between and beside them is white."""
    from PIL import Image

    scale = paper.px_per_pt
    places: list[tuple[int, int, int, int]] = []
    for one in boxes:
        across, down = scale * paper.size.width_pt / one.width_pt, scale * paper.size.height_pt / one.height_pt
        x0, y0, x1, y1 = one.box
        beside, above = _AROUND_PT * scale, _AROUND_PT * scale / 2
        left, top = max(0, round(x0 * across - beside)), max(0, round(y0 * down - above))
        places.append((left, top, round(x1 * across + beside), round(y1 * down + above)))
    left, top = min(p[0] for p in places), min(p[1] for p in places)
    right, bottom = max(p[2] for p in places), max(p[3] for p in places)
    sheet = Image.new("RGB", (right - left + 2 * _MARGIN_PX, bottom - top + 2 * _MARGIN_PX), "white")
    for place in places:
        sheet.paste(paper.image.crop(place), (place[0] - left + _MARGIN_PX, place[1] - top + _MARGIN_PX))
    return sheet


def _words(text: str) -> list[str]:
    """Return words and numbers as both sides are compared: hyphens at line ends joined, in one case."""
    joined = re.sub(r"(?<=[^\W\d_])[-\u2010\u00ad]\s*\n\s*", "", text)
    return _WORD.findall(unicodedata.normalize("NFKC", joined).casefold())


def _missing(wanted: Sequence[str], seen: Sequence[str]) -> list[str]:
    """Return the words of a quote that are not in what was read; one wrong letter of a long word is a slip.

    Their order says nothing: an engine may read the pieces of a line in any.
    """
    left = list(seen)
    missing = []
    for word in wanted:
        like = word if word in left else next((other for other in left if _is_slip(word, other)), None)
        if like is None:
            missing.append(word)
        else:
            left.remove(like)
    return missing


def _is_slip(word: str, other: str) -> bool:
    """Say whether two words differ by what recognition gets wrong; numbers never do."""
    return word.isalpha() and other.isalpha() and len(word) > 3 and Levenshtein.distance(word, other) <= 1
