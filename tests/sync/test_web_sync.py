"""A library in step with a web site on this machine."""

from collections.abc import Iterator

import pytest
from tests.sources.web_server import Page, Site, site

from pincite.errors import BlockedAddressError
from pincite.library import Library
from pincite.types.answer import Answer, Refusal
from pincite.types.source import SyncOptions

LOCAL = SyncOptions(depth=1, allow_private=True)
MENU = "<div class='menu'><a href='/'>Home</a> <a href='/fees'>Fees</a> <a href='/old'>Old</a></div>"
FOOT = "<div class='footer'><p>Imprint and cookies of the harbour office, all rights reserved since 1999.</p></div>"


def article(text: str) -> str:
    more = "The office is open on every day of the week but Sunday, and the master of the harbour is there in person."
    return f"{MENU}<div id='content'><h1>Harbour</h1><p>{text}</p><p>{more}</p></div>{FOOT}"


@pytest.fixture
def web() -> Iterator[Site]:
    """Return a small site."""
    with site() as made:
        made.html("/", article("Welcome to the harbour of Whitby, which has two locks and a dry dock for repairs."))
        made.html("/fees", article("The mooring fee is 12 crowns for each night, and 60 crowns for a whole week."))
        made.html("/old", article("The tide bell was cast in 1871 and weighs 340 kg, says the book of the harbour."))
        yield made


def test_pages_are_read_cited_by_address_kept_as_fetched_and_followed(library: Library, web: Site) -> None:
    """A site is read once, answers cite the page, the bytes are kept; changed pages are read again, gone ones go."""
    (first,) = library.sync(web.base, options=LOCAL)
    assert (len(first.added), first.failed) == (3, ())
    result = library.ask("How high is the mooring fee for each night?")
    assert isinstance(result, Answer)
    citation = result.items[0].citations[0]
    assert "12 crowns" in citation.quote
    assert citation.link == web.base + "/fees"
    assert library.store.original(citation.doc_id) == web.pages["/fees"].body

    web.html("/fees", article("The mooring fee is 14 crowns for each night, and 70 crowns for a whole week."))
    del web.pages["/old"]
    web.requests.clear()
    (second,) = library.sync(web.base)
    assert (len(second.changed), len(second.deleted), len(second.unchanged)) == (1, 1, 1)
    changed = library.ask("How high is the mooring fee for each night?")
    assert isinstance(changed, Answer)
    assert "14" in changed.items[0].text
    assert isinstance(library.ask("How much does the tide bell weigh?"), Refusal)

    (third,) = library.sync(web.base)
    assert (third.is_empty, third.n_fetched) == (True, 0)


def test_what_stands_around_the_article_is_not_an_answer(library: Library, web: Site) -> None:
    """The imprint of every page is set apart, and the lines of the article are not."""
    library.sync(web.base, options=LOCAL)
    name = next(record.name for record in library.documents() if "fees" in record.name)
    roles = {line.text: line.role for line in library.document(name).lines}
    assert [role for text, role in roles.items() if "cookies" in text] == ["footer"]
    assert [role for text, role in roles.items() if "mooring fee" in text] == ["body"]


def test_private_addresses_are_refused_unless_allowed(library: Library, web: Site) -> None:
    """Without leave the site of this machine is an error that says how to allow it; nothing is asked."""
    with pytest.raises(BlockedAddressError, match="--allow-private"):
        library.sync(web.base)
    assert web.requests == []
    assert library.documents() == ()


def test_a_page_that_fails_is_reported_and_stays(library: Library, web: Site) -> None:
    """A page that cannot be read today keeps its last version; the others are done."""
    library.sync(web.base, options=LOCAL)
    web.fault = lambda path: Page(status=403) if path == "/old" else None
    (report,) = library.sync(web.base)
    assert (len(report.unchanged), report.deleted) == (2, ())
    assert [failed.code for failed in report.failed] == ["source_denied"]
    assert len(library.documents()) == 3


def test_a_page_that_robots_may_not_read_any_more_goes(library: Library, web: Site) -> None:
    """What the site takes back is taken out, and said."""
    library.sync(web.base, options=LOCAL)
    web.pages["/robots.txt"] = Page("User-agent: *\nDisallow: /old", kind="text/plain")
    (report,) = library.sync(web.base)
    assert (len(report.deleted), len(report.passed_over)) == (1, 1)
    assert "robots.txt" in report.passed_over[0].reason


def test_the_encoding_in_the_header_is_used(library: Library, web: Site) -> None:
    """A page that names no encoding is read by that of its header, and its article is still told from the rest."""
    body = article("Паромная переправа закрыта с первого ноября, сказал начальник порта и капитан.")
    page = f"<!doctype html><html><body>{body}</body></html>".encode("cp1251")
    web.pages["/"] = Page(page, kind="text/html; charset=windows-1251")
    library.sync(web.base, options=SyncOptions(allow_private=True))

    (record,) = library.documents()
    assert record.parsing_summary.encoding == "windows-1251"
    roles = {line.text: line.role for line in library.document(record.doc_id).lines}
    assert [role for text, role in roles.items() if text.startswith("Паромная переправа закрыта")] == ["body"]
    assert [role for text, role in roles.items() if "cookies" in text] == ["footer"]
