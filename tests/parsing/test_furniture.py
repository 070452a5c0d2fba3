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


def _headed(page_num: int, head: str, *, room: int = 30, is_big: bool = False) -> Edges:
    rows = [EdgeRow.of(head, 20, 30, is_big=is_big)]
    rows += [
        EdgeRow.of(f"word {'abcdefgh'[page_num]} of line {at}", 30 + room + 14 * at, 40 + room + 14 * at)
        for at in range(2)
    ]
    return edges_of(page_num, 792, rows, n_rows=3)


_HEADS = ("Storage", "Burning of ledgers", "Article 12 ... 34", "Loans and returns", "Fees")


def test_a_head_that_names_each_page_s_own_part_is_a_header() -> None:
    """A chapter title at one height above the text is set apart, though no two pages have the same."""
    pages = [_headed(n, head) for n, head in enumerate(_HEADS)]

    assert [furniture(page, [other for other in pages if other is not page], 5)[0] for page in pages] == [1] * 5


def test_titles_are_no_changing_heads() -> None:
    """Titles set bigger than the page, and first lines right above the next, belong to the text."""
    for is_big, room in ((True, 30), (False, 4)):
        pages = [_headed(n, head, is_big=is_big, room=room) for n, head in enumerate(_HEADS)]

        assert furniture(pages[2], pages[:2] + pages[3:], 5)[0] == 0


def test_a_sentence_between_two_repeated_rows_is_text() -> None:
    """A row may stand between a head and another that repeats, but not one that ends as a sentence does."""
    pages = [
        edges_of(
            n,
            792,
            [
                EdgeRow.of("Archive rules", 20, 30),
                EdgeRow.of(f"Paragraph speaks of topic {'abcdef'[n]}.", 60, 70),
                EdgeRow.of("It ends here.", 75, 85),
            ],
            n_rows=3,
        )
        for n in range(5)
    ]

    assert furniture(pages[2], pages[:2] + pages[3:], 5)[0] == 1


def test_a_page_number_alone_at_the_foot_is_a_footer() -> None:
    """A document of one page may be numbered too."""
    assert furniture(_page(1, "Some text", "- 3 -"), [], 1) == (0, 1)


def test_page_numbers_are_read_in_both_forms() -> None:
    """Front matter counts in Roman numerals."""
    assert [page_number(text) for text in ("Page 12 of 40", "- 7 -", "xiv", "Revenue 12")] == [12, 7, 14, None]
