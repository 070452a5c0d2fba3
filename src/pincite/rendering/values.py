"""Say a typed value in words."""

from pincite.types.answer import Cells, DateValue, Quantity, Truth, Value


def value_words(value: Value | None) -> str | None:
    """Return `USD 4.2 million`, `2027-03-01`, `Yes`, or cells joined by bars; `None` for no value."""
    match value:
        case Quantity():
            percent = value.unit == "%"
            number = value.number + ("%" if percent and "%" not in value.number else "")
            parts = (value.currency, number, value.scale, None if percent else value.unit)
            return " ".join(part for part in parts if part)
        case DateValue():
            return value.iso
        case Truth():
            return "Yes" if value.value else "No"
        case Cells():
            return " | ".join(value.cells)
        case None:
            return None


def beside(text: str, value: Value | None) -> str | None:
    """Return the words of `value` to show beside `text`, `None` where the text says them already."""
    words = value_words(value)
    if words is None or isinstance(value, Cells):
        return None
    return None if words.lower() in text.lower() else words
