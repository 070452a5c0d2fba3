"""What a function does, returns or raises is said by what documents it, not by its signature."""

from pathlib import Path

import pytest

from pincite.library import Library
from pincite.settings import Settings
from pincite.types.answer import Answer, Refusal

_FILES = {
    "settings.py": '''"""Settings of the harbour service."""

MAX_RETRIES = 5  # how often a call is tried again
#: Waits longer than this are reported.
MAX_WAIT_S = 30.0


@dataclass
class Shot:
    """One measured leg between two stations."""


def parse_config(
    path: str, *, strict: bool = False
) -> dict[str, str]:
    """Read the settings from a TOML file.

    Returns a mapping of section names to their text. Unknown sections
    are dropped unless `strict` is set.

    Raises:
        ConfigError: the file is missing or malformed.
    """
    return json.loads(open(path).read())


# Joins two berths into one, and keeps the name of the longer one.
def merge_berths(first, second):
    return first + second


class TideTable:
    """Tide heights of one harbour for a year."""

    def height_at(self, moment):
        """Return the height in metres, interpolated between the two nearest tides."""
        return 0.0
''',
    "relay.js": """/**
 * Opens a socket to the relay and keeps it alive.
 *
 * @param {string} url address of the relay
 * @returns {Socket} the open socket
 */
function connectRelay(url) {
  return new Socket(url);
}

// Converts knots to metres per second.
export const knotsToMs = (knots) => knots * 0.514;
""",
    "berth.go": """package harbour

// Berth assigns a ship to the first free berth and returns its number.
func Berth(ship string) (int, error) {
	return 0, nil
}
""",
    "sluice.c": """/* Opens the sluice and waits for the float to rise.
 * Returns 0 on success, or -1 when the float is stuck.
 */
int sluice_open(struct sluice *s, int wait)
{
	return 0;
}
""",
    "api.md": """# Client API

### `fetch_page(url, timeout=30)`

Downloads one page and stores it in the cache. It follows at most 5 redirects.

**Returns:** a `Page` object, or `None` when the server says 404.

### `drop_cache(older_than=None)`

Deletes every stored page.

## Chart

```python
tide.plot(station)
```

Draws a curve of one week.
""",
    "locks.rst": """Locks
=====

.. function:: close_lock(number)

   Shuts the gate of a lock.

   Returns the time in seconds that it took.
""",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Return a library of source code and manuals."""
    folder = tmp_path_factory.mktemp("docs")
    for name, text in _FILES.items():
        Path(folder, name).write_text(text, encoding="utf-8")
    made = Library(tmp_path_factory.mktemp("library"), settings=Settings(jobs=1, embedder="none"))
    made.add(folder)
    return made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does parse_config do?", "Read the settings from a TOML file."),
        ("What is the purpose of parse_config?", "Read the settings from a TOML file."),
        (
            "What does `parse_config` return?",
            "Returns a mapping of section names to their text. Unknown sections are dropped unless `strict` is set.",
        ),
        ("What does parse_config raise?", "Raises: ConfigError: the file is missing or malformed."),
        ("What does the function merge_berths do?", "Joins two berths into one, and keeps the name of the longer one."),
        ("What does merge_berths return?", "return first + second"),
        ("What is TideTable?", "Tide heights of one harbour for a year."),
        (
            "What does TideTable.height_at return?",
            "Return the height in metres, interpolated between the two nearest tides.",
        ),
        ("What is MAX_RETRIES?", "how often a call is tried again"),
        ("What is MAX_WAIT_S?", "Waits longer than this are reported."),
        ("What is a Shot?", "One measured leg between two stations."),
        ("What does connectRelay do?", "Opens a socket to the relay and keeps it alive."),
        ("What does connectRelay return?", "@returns {Socket} the open socket"),
        ("What does knotsToMs do?", "Converts knots to metres per second."),
        ("What does Berth return?", "Berth assigns a ship to the first free berth and returns its number."),
        ("What does sluice_open do?", "Opens the sluice and waits for the float to rise. "
         "Returns 0 on success, or -1 when the float is stuck."),
        ("What does sluice_open return?", "Returns 0 on success, or -1 when the float is stuck."),
        ("What does fetch_page do?", "Downloads one page and stores it in the cache. It follows at most 5 redirects."),
        ("What does fetch_page() return?", "Returns: a Page object, or None when the server says 404."),
        ("What does the function drop_cache do?", "Deletes every stored page."),
        ("What does tide.plot do?", "Draws a curve of one week."),
        ("What does close_lock do?", "Shuts the gate of a lock."),
        ("What does close_lock return?", "Returns the time in seconds that it took."),
    ],
)  # fmt: skip
def test_what_documents_a_symbol_answers(library: Library, question: str, said: str) -> None:
    """The docstring, the comment above or the text below says it, with its own lines cited."""
    result = library.ask(question)
    assert isinstance(result, Answer), result
    (item,) = result.items
    assert item.text == said
    assert item.citations[0].verdict.status == "verified"


def test_the_defining_line_is_cited_beside_it(library: Library) -> None:
    """A comment need not name what it is about: the line that defines it is the second citation."""
    result = library.ask("What does merge_berths do?")
    assert isinstance(result, Answer)
    assert [c.quote for c in result.items[0].citations] == [
        "Joins two berths into one, and keeps the name of the longer one.",
        "def merge_berths(first, second):",
    ]


@pytest.mark.parametrize("question", ["What does upload_page do?", "What does the function drop_berths return?"])
def test_a_symbol_that_is_not_there_is_refused(library: Library, question: str) -> None:
    """No other symbol answers for one that no file defines."""
    assert isinstance(library.ask(question), Refusal)
