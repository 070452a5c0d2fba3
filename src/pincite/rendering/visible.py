r"""Show characters that could forge or reorder what a person sees as what they are.

A line feed in a file name, an escape sequence in a document or a right-to-left override in a quote must
not change the output around it, so such characters are written as `\n`, `\x1b`, `\u202e`.
"""

import re

# C0 and C1 controls, line and paragraph separators, bidirectional overrides and isolates, lone surrogates
# (undecodable bytes of a file name) and the byte order mark.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def one_line(text: str) -> str:
    r"""Return `text` with every unsafe character written out, so that it stays on one line.

    >>> one_line("a\nb.pdf")
    'a\\nb.pdf'
    """
    return _UNSAFE.sub(_escape, text)


def many_lines(text: str) -> str:
    r"""Return `text` with line feeds kept, tabs as spaces, and every other unsafe character written out.

    >>> many_lines("Net\n\x1b[31mprofit")
    'Net\n\\x1b[31mprofit'
    """
    return "\n".join(one_line(line.replace("\t", "    ")) for line in text.split("\n"))


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    return _NAMED.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
