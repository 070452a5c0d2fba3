"""Running headers and footers are told from text that only looks alike."""

from pincite.parsing.furniture import EdgeRow, Edges, edges_of, furniture, page_number


def _page(page_num: int, *texts: str) -> Edges:
    rows = [EdgeRow.of(text, 20 + 14 * at, 30 + 14 * at) for at, text in enumerate(texts[:-1])]
    rows.append(EdgeRow.of(texts[-1], 760, 770))
    return edges_of(page_num, 792, rows, n_rows=len(rows))


def test_what_repeats_at_one_height_is_a_header_or_footer() -> None:
    """The title of the book on every page, and a number that counts up, are not body text."""
    pages = [
        _page(n, "Port Rules - edition 6", f"Body {'abc'[n % 3]} differs here", f"Page {n} of 9") for n in range(1, 6)
    ]

    assert furniture(pages[2], pages[:2] + pages[3:], 9) == (1, 1)


def test_rows_that_differ_in_other_numbers_are_text() -> None:
    """The entries of a ledger stand at one height on every page, and are still its text."""
    pages = [
        _page(n, f"Entry {n}: buoy {n * 37 % 11} checked", f"Entry {n}b: depth {n * 13 % 7} m") for n in range(1, 6)
    ]

    assert furniture(pages[2], pages[:2] + pages[3:], 9) == (0, 0)


def test_a_page_number_alone_at_the_foot_is_a_footer() -> None:
    """A document of one page may be numbered too."""
    assert furniture(_page(1, "Some text", "- 3 -"), [], 1) == (0, 1)


def test_page_numbers_are_read_in_both_forms() -> None:
    """Front matter counts in Roman numerals."""
    assert [page_number(text) for text in ("Page 12 of 40", "- 7 -", "xiv", "Revenue 12")] == [12, 7, 14, None]
