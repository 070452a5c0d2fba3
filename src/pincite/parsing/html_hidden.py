"""Which elements of a page a person does not see: by attribute, by style, by style sheet, by colour."""

import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

#: Elements whose text is never part of the page (HTML Standard, 15.3.1), or is there for machines alone.
UNSEEN: Final = frozenset(
    "script style template noscript head title meta link base iframe object embed audio video canvas "
    "datalist param source track area map select input".split()
)
#: Declarations that hide an element → what a reader is told.
_HIDING: Final = (
    (re.compile(r"(?:^|;)\s*display\s*:\s*none", re.IGNORECASE), "display: none"),
    (re.compile(r"(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE), "visibility: hidden"),
    (re.compile(r"(?:^|;)\s*opacity\s*:\s*0*\.?0+\s*(?:%\s*)?(?:;|!|$)", re.IGNORECASE), "opacity 0"),
    (re.compile(r"(?:^|;)\s*font-size\s*:\s*(?:0*(?:\.0\d*)?[a-z%]*|[01]?(?:\.\d+)?p[xt])\s*(?:;|!|$)", re.IGNORECASE),
     "type too small to see"),
    (re.compile(r"(?:^|;)\s*(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{4,}", re.IGNORECASE),
     "moved off the page"),
    (re.compile(r"(?:^|;)\s*clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*(?:50|100)%)", re.IGNORECASE), "clipped away"),
    (re.compile(r"(?:^|;)\s*mso-hide\s*:\s*all", re.IGNORECASE), "hidden in Word"),
)  # fmt: skip
_WHITE: Final = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|transparent|#f{3}(?:f{3})?|rgba?\(\s*255\s*,\s*255\s*,\s*255\b[^)]*\))\s*(?:;|!|$)",
    re.IGNORECASE,
)
_BACKGROUND: Final = re.compile(r"background", re.IGNORECASE)
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE: Final = re.compile(r"([^{}@]+)\{([^{}]*)\}")
#: Blocks that hold for paper or for other screens, with one level of rules inside.
_AT_BLOCK: Final = re.compile(r"@(?:media|supports|layer|container)[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
#: No more rules than this are looked at: each is matched against the whole page.
_MAX_RULES: Final = 500


class Visibility:
    """Says of the elements of one page whether a person sees them."""

    def __init__(self, page: LexborHTMLParser) -> None:
        sheets = "\n".join(node.text(deep=True) for node in page.css("style"))
        self._by_sheet = dict(_hidden_by(page, _COMMENT.sub("", sheets)))
        # Light text is hidden only where nothing dark can be behind it; a page that sets any background may have it.
        self._is_plain = (
            not _BACKGROUND.search(sheets) and page.css_first("[background],[bgcolor],[style*=background]") is None
        )

    def reason(self, node: LexborNode) -> str | None:
        """Return why nobody sees an element, `None` where it is seen; its parents are not looked at."""
        attributes = node.attributes
        if not attributes:
            return self._by_sheet.get(node.mem_id)
        if "hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found":
            return "the attribute hidden"
        style = attributes.get("style")
        if style:
            for pattern, reason in _HIDING:
                if pattern.search(style):
                    return reason
            if self._is_plain and _WHITE.search(style):
                return "white on white"
        return self._by_sheet.get(node.mem_id)


def _hidden_by(page: LexborHTMLParser, sheets: str) -> Iterator[tuple[int, str]]:
    """Yield the elements that a rule of a style sheet hides, with the reason."""
    for count, rule in enumerate(_RULE.finditer(_AT_BLOCK.sub("", sheets))):
        if count > _MAX_RULES:
            return
        selectors, declarations = rule.group(1).strip(), rule.group(2)
        reason = next((why for pattern, why in _HIDING if pattern.search(declarations)), None)
        if reason is None or len(selectors) > 500 or ":" in selectors:
            continue  # what a pointer or a place among others decides is seen some of the time
        try:
            for node in page.css(selectors):
                yield node.mem_id, f"{reason} in a style sheet"
        except (SelectolaxError, ValueError):
            continue
