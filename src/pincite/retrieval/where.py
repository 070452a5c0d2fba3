r"""Read a `--where` condition: `year=2023 and (tag=policy or title~"travel *") and not status exists`.

    condition  = and_part { "or" and_part }
    and_part   = part { "and" part }
    part       = "not" part | "(" condition ")" | comparison
    comparison = FIELD OPERATOR VALUE | FIELD "in" "(" VALUE { "," VALUE } ")" | FIELD "exists"
    OPERATOR   = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~"

FIELD and VALUE are words without blanks, quotes, parentheses, commas or operators, or anything in single or double
quotes (`\"` and `\\` inside). The words of the grammar are read in any case; in quotes they are ordinary values.
"""

import re
from typing import Final

from pincite.errors import FilterError
from pincite.types.where import AllOf, AnyOf, Comparison, Condition, Not, Operator

#: A longer condition, or one nested deeper, is nobody's.
_MAX_CHARS: Final = 4_000
_MAX_DEPTH: Final = 40
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<operator>==|!=|<=|>=|[=<>~])|(?P<mark>[(),])"""
    r"""|(?P<word>[^\s"'(),=<>~!]+))""",
    re.DOTALL,
)
_WORDS: Final = frozenset({"and", "or", "not", "in", "exists"})
_OPERATORS: Final[dict[str, Operator]] = {
    "=": "=", "==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "~": "~",
}  # fmt: skip


def parse_where(text: str) -> Condition:
    """Return the condition that a person wrote.

    Raises:
        FilterError: it cannot be read; the message says where and what would do.

    """
    if len(text) > _MAX_CHARS:
        raise FilterError(f"the condition has {len(text):,} characters; {_MAX_CHARS:,} are enough")
    reader = _Reader(text)
    condition = reader.condition(0)
    if reader.peek() is not None:
        raise reader.fault("there is more than one condition; join them with 'and' or 'or'")
    return condition


class _Token:
    """A word, quoted text, operator or mark, and where it begins."""

    def __init__(self, kind: str, text: str, at: int) -> None:
        self.kind, self.text, self.at = kind, text, at

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and self.text.lower() in words


class _Reader:
    """Reads the tokens from left to right, one rule of the grammar a method."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._next = 0

    def peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def fault(self, what: str) -> FilterError:
        token = self.peek()
        where = "at its end" if token is None else f"at {self._text[token.at : token.at + 20]!r}"
        return FilterError(f"{self._text!r} cannot be read {where}: {what}; write for example year=2023 and tag=policy")

    def condition(self, depth: int) -> Condition:
        if depth > _MAX_DEPTH:
            raise self.fault("it is nested too deep")
        parts = [self._and_part(depth)]
        while self._take_word("or"):
            parts.append(self._and_part(depth))
        return parts[0] if len(parts) == 1 else AnyOf(parts=tuple(parts))

    def _and_part(self, depth: int) -> Condition:
        parts = [self._part(depth)]
        while self._take_word("and"):
            parts.append(self._part(depth))
        return parts[0] if len(parts) == 1 else AllOf(parts=tuple(parts))

    def _part(self, depth: int) -> Condition:
        if self._take_word("not"):
            if depth > _MAX_DEPTH:
                raise self.fault("it is nested too deep")
            return Not(inner=self._part(depth + 1))
        if self._take_mark("("):
            inner = self.condition(depth + 1)
            if not self._take_mark(")"):
                raise self.fault("a closing ')' is missing")
            return inner
        return self._comparison()

    def _comparison(self) -> Condition:
        field = self._text_of("the name of a field")
        if self._take_word("exists"):
            return Comparison(field=field, operator="exists")
        if self._take_word("in"):
            return Comparison(field=field, operator="=", values=self._values())
        token = self.peek()
        if token is None or token.kind != "operator":
            raise self.fault("an operator (= != < <= > >= ~ in exists) has to follow a field")
        self._next += 1
        return Comparison(field=field, operator=_OPERATORS[token.text], values=(self._text_of("a value"),))

    def _values(self) -> tuple[str, ...]:
        if not self._take_mark("("):
            raise self.fault("'in' is followed by values in parentheses")
        values = [self._text_of("a value")]
        while self._take_mark(","):
            values.append(self._text_of("a value"))
        if not self._take_mark(")"):
            raise self.fault("a closing ')' is missing")
        return tuple(values)

    def _text_of(self, what: str) -> str:
        token = self.peek()
        if token is None or token.kind not in ("word", "quoted") or token.is_word(*_WORDS):
            raise self.fault(f"{what} is missing")
        self._next += 1
        return token.text if token.kind == "word" else re.sub(r"\\(.)", r"\1", token.text[1:-1], flags=re.DOTALL)

    def _take_word(self, word: str) -> bool:
        token = self.peek()
        is_there = token is not None and token.is_word(word)
        self._next += is_there
        return is_there

    def _take_mark(self, mark: str) -> bool:
        token = self.peek()
        is_there = token is not None and token.kind == "mark" and token.text == mark
        self._next += is_there
        return is_there


def _tokens(text: str) -> list[_Token]:
    found, at = [], 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise FilterError(
                f"{text!r} cannot be read at {text[at : at + 20].strip()!r}: a quote is not closed, or a sign is odd"
            )
        kind = str(match.lastgroup)
        found.append(_Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return found
