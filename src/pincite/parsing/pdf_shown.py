"""A page as it is shown: a copy without layers that are off and without text that stands in for what is drawn.

A file may say of a piece of text what it is to be taken for (`/ActualText`), and it may hold layers that are
switched off; pdfium's text has the one and the other. A person sees neither, so such a page is read a second
time, from a copy that holds just what is drawn.
"""

import ctypes
import io
import unicodedata
import warnings
from collections import Counter
from typing import Any

import pikepdf

from pincite.parsing.pdf_calls import call, each, ready
from pincite.parsing.pdf_layers import ERRORS, hides, is_off, mark_layers
from pincite.parsing.pdf_text import Words

#: Contents longer than this, unpacked, are not taken apart.
_MOST_BYTES = 4 << 20
#: Room for what text is to be taken for; longer ones are cut.
_TEXT_BYTES = 512
_DEPTH = 6
_SHOW_TEXT = {"Tj", "TJ", "'", '"'}
_PAINT = {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*"}
_DROP = {"Do", "sh", "INLINE IMAGE", "Tj", "TJ"}
_BEGIN, _END, _END_PATH, _NEXT_LINE = (pikepdf.Operator(name) for name in ("BMC", "EMC", "n", "T*"))


class ShownPages:
    """Makes copies of pages as they are shown. `layers` are looked for when the file may have some."""

    def __init__(self, content: bytes, open_file: Any) -> None:
        """Take the bytes of a file, and a function that returns it opened with pikepdf, or `None`."""
        self._open = open_file
        self._may_hide = b"/OCProperties" in content or b"/ObjStm" in content
        self._layers: bool | None = None

    def hides_layers(self, page_num: int) -> bool:
        """Return whether a layer that is off takes part in a page."""
        if not self._may_hide:
            return False
        try:
            pdf = self._open()
            if self._layers is None:
                self._layers = pdf is not None and mark_layers(pdf)
            page = pdf.pages[page_num - 1]
            return bool(self._layers) and hides(page.obj, page.resources)
        except ERRORS:
            return False

    def copy(self, page_num: int) -> bytes | None:
        """Return a file of the one page as it is shown, or `None` when it cannot be taken apart."""
        try:
            pdf = self._open()
            if pdf is None:
                return None
            # What is said of forms and links that a copied page loses does not matter: only its text is read.
            with pikepdf.new() as made, warnings.catch_warnings(action="ignore"):
                made.pages.append(pdf.pages[page_num - 1])
                page = made.pages[0]
                parts: Any = page.obj.get("/Contents")
                n_bytes = [len(part.read_bytes()) for part in (parts if isinstance(parts, pikepdf.Array) else [parts])]
                if sum(n_bytes) > _MOST_BYTES:
                    return None
                page.obj.Contents = made.make_stream(_shown(page.obj, page.resources, _DEPTH, set()))
                out = io.BytesIO()
                made.save(out)
                return out.getvalue()
        except ERRORS:
            return None


def standing_in(objects: list[int]) -> list[int]:
    """Return which runs (by place) are marked to be taken for words or numbers, whatever their glyphs are."""
    counts = each("FPDFPageObj_CountMarks", ready(objects))
    if max(counts, default=0) <= 0:
        return []
    known: dict[int, bool] = {}
    out = []
    for at, (obj, n) in enumerate(zip(objects, counts, strict=True)):
        for index in range(n):
            mark = call("FPDFPageObj_GetMark")(obj, index)
            if mark not in known:
                known[mark] = _says_words(mark)
            if known[mark]:
                out.append(at)
                break
    return out


def _says_words(mark: int) -> bool:
    buffer, size = ctypes.create_string_buffer(_TEXT_BYTES), ctypes.c_ulong(0)
    values = ctypes.addressof(buffer), _TEXT_BYTES, ctypes.addressof(size)
    call("FPDFPageObjMark_GetParamStringValue")(mark, b"ActualText", *values)
    if size.value > _TEXT_BYTES:
        return True
    return any(map(str.isalnum, buffer.raw[: size.value].decode("utf-16-le", "replace")))


def unseen_words(words: Words, shown: Words) -> list[int]:
    """Return the words (by place) of a page that the page as it is shown has not, in their own place if possible."""
    texts, others = (one.slices(one.start, one.end) for one in (words, shown))
    if texts == others:
        return []
    theirs = Counter(_folded(shown.text(word)) for word in range(len(shown)))
    at_home = Counter((_folded(shown.text(word)), *shown.box[word, :2].round().tolist()) for word in range(len(shown)))
    left = []
    for word in range(len(words)):
        text = _folded(words.text(word))
        home = (text, *words.box[word, :2].round().tolist())
        if not text:
            continue
        if at_home[home] > 0:
            at_home[home] -= 1
            theirs[text] -= 1
        else:
            left.append((word, text))
    out = []
    for word, text in left:
        if theirs[text] > 0:
            theirs[text] -= 1
        else:
            out.append(word)
    return out


def _folded(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _shown(content: Any, resources: Any, depth: int, seen: set[tuple[int, int]]) -> bytes:
    """Return the content of a page or form as it is shown; forms within are written anew."""
    properties = resources.get("/Properties", pikepdf.Dictionary())
    forms = resources.get("/XObject", pikepdf.Dictionary())
    out: list[Any] = []
    marks: list[bool] = []
    for instruction in pikepdf.parse_content_stream(content):
        operands, name = instruction.operands, str(instruction.operator)
        if name in {"BDC", "BMC"}:
            said = operands[1] if len(operands) > 1 else None
            said = properties.get(said) if isinstance(said, pikepdf.Name) else said
            marks.append(str(operands[0]) == "/OC" and is_off(said))
            out.append(([operands[0]], _BEGIN))
        elif name == "EMC":
            if marks:
                marks.pop()
                out.append(([], _END))
        elif any(marks) and name in _PAINT:
            out.append(([], _END_PATH))
        elif any(marks) and name in _SHOW_TEXT - _DROP:
            out.append(([], _NEXT_LINE))
        elif not (any(marks) and name in _DROP) and not (name == "Do" and _is_hidden(forms, operands)):
            out.append(instruction)
    for form in dict(forms.items()).values():
        if isinstance(form, pikepdf.Stream) and form.get("/Subtype") == "/Form" and form.objgen not in seen and depth:
            seen.add(form.objgen)
            form.write(_shown(form, form.get("/Resources", resources), depth - 1, seen))
    return pikepdf.unparse_content_stream(out)


def _is_hidden(forms: Any, operands: Any) -> bool:
    form = forms.get(operands[0]) if operands else None
    return isinstance(form, pikepdf.Stream) and is_off(form.get("/OC"))
