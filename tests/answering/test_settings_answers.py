"""Values of settings, in files and in code blocks of other documents, found by their keys."""

import pytest
from tests.making import brief_of, parsed, read

from pincite.answering.extractive import ExtractiveAnswerer
from pincite.types.answer import Draft, Quantity, Truth

_YAML = """# settings of the relay
server:
  host: relay.example
  port: 8443
  timeout: 30s   # of one request
  retry:
    maxAttempts: 4
database:
  pool_size: 12
  timeout: 5s
  tls: true
features:
  - dredging
  - night_watch
ports: ["8080:80", "9090:90"]
logging:
  level: warning
"""
_COMPOSE = """services:
  web:
    image: quarry/web:2.1
    ports:
      - "8080:80"
    environment:
      LOG_LEVEL: info
  db:
    image: postgres:15
    restart: always
"""
_JSON = """{
  "version": "2.4.1",
  "alarm": {
    "threshold_m": 3.2,
    "recipients": [
      "harbour@example",
      "watch@example"
    ]
  }
}
"""
_TOML = """[upload]
max_size_mb = 25

[cache.redis]
port = 6380
dir = "/var/cache/quay"
"""
_INI = """[backup]
schedule = 03:15
keep = 21
"""
_MANUAL = """# Configuration

The relay reads a file like this:

```yaml
defaults:
  timeout: 45
proxy:
  timeout: 90
```

An older form is still read:

```
# seconds before a line is dropped
linger = 12
```
"""


def _draft(question: str, text: str, name: str) -> Draft:
    document = parsed(text, name)
    return ExtractiveAnswerer().answer(brief_of(question, document, None), read(document))


def _quotes(draft: Draft) -> list[str]:
    return [quote.quote for item in draft.items for quote in item.quotes]


@pytest.mark.parametrize(
    ("question", "text", "name", "quotes"),
    [
        ("What is the server timeout?", _YAML, "relay.yaml", ["timeout: 30s   # of one request", "server:"]),
        ("What is the timeout of the database?", _YAML, "relay.yaml", ["timeout: 5s", "database:"]),
        ("What is the pool size of the database?", _YAML, "relay.yaml", ["pool_size: 12", "database:"]),
        ("What is the maximum of retry attempts?", _YAML, "relay.yaml", ["maxAttempts: 4", "server:", "retry:"]),
        ("What is the log level?", _YAML, "relay.yaml", ["level: warning", "logging:"]),
        ("What image does the db run?", _COMPOSE, "compose.yml", ["image: postgres:15", "services:", "db:"]),
        ("What is the restart policy of the db?", _COMPOSE, "compose.yml", ["restart: always", "services:", "db:"]),
        (
            "What is the log level of the web service?",
            _COMPOSE,
            "compose.yml",
            ["LOG_LEVEL: info", "services:", "web:", "environment:"],
        ),
        ("What is the alarm threshold?", _JSON, "gauge.json", ['"threshold_m": 3.2,', '"alarm": {']),
        ("Which version is it?", _JSON, "gauge.json", ['"version": "2.4.1",']),
        ("What is the maximum size of an upload?", _TOML, "quay.toml", ["max_size_mb = 25", "[upload]"]),
        ("What is the redis cache directory?", _TOML, "quay.toml", ['dir = "/var/cache/quay"', "[cache.redis]"]),
        ("When is the backup scheduled?", _INI, "quay.ini", ["schedule = 03:15", "[backup]"]),
        ("What is the default timeout?", _MANUAL, "manual.md", ["timeout: 45", "defaults:"]),
        ("What is the proxy timeout?", _MANUAL, "manual.md", ["timeout: 90", "proxy:"]),
        ("How many seconds is the linger?", _MANUAL, "manual.md", ["linger = 12"]),
    ],
)
def test_a_value_is_quoted_with_the_keys_it_stands_in(question: str, text: str, name: str, quotes: list[str]) -> None:
    """The line of the value comes first, then the lines of the keys that make it the one that was asked for."""
    assert _quotes(_draft(question, text, name)) == quotes


def test_a_number_or_a_switch_is_a_typed_value() -> None:
    """An amount comes as a number, and what is on or off as yes or no."""
    (size,) = _draft("What is the pool size?", _YAML, "relay.yaml").items
    assert size.value == Quantity(number="12")
    (switch,) = _draft("Is TLS enabled for the database?", _YAML, "relay.yaml").items
    assert switch.value == Truth(value=True)


@pytest.mark.parametrize(
    ("question", "text", "name", "said"),
    [
        ("Which features are there?", _YAML, "relay.yaml", ["dredging", "night_watch"]),
        ("Who are the recipients of the alarm?", _JSON, "gauge.json", ["harbour@example", "watch@example"]),
        ("What are the ports?", _YAML, "relay.yaml", ["8080:80", "9090:90"]),
    ],
)
def test_a_list_below_its_key_is_given_whole(question: str, text: str, name: str, said: list[str]) -> None:
    """A key with several values answers with all of them, each with its line."""
    draft = _draft(question, text, name)
    assert (draft.shape, [item.text for item in draft.items]) == ("list", said)


_INLINE = """server: {host: relay.example, port: 8443, tls: {min: "1.2"}}
client: {port: 9000}
"""
_PADDING = "x" * 200
_MINIFIED = f'{{"listen":{{"host":"::","port":7070}},"smtp":{{"port":2525,"tls":false}},"padding":"{_PADDING}"}}\n'


@pytest.mark.parametrize(
    ("question", "text", "name", "quote"),
    [
        ("What is the client port?", _INLINE, "relay.yaml", "client: {port: 9000}"),
        ("What port does the pager listen on?", _MINIFIED, "pager.json", '"port":7070'),
        ("What is the SMTP port?", _MINIFIED, "pager.json", '"port":2525'),
    ],
)
def test_keys_and_values_on_one_line(question: str, text: str, name: str, quote: str) -> None:
    """Mappings in braces are looked through; of a long line only the key with its value is quoted."""
    assert _quotes(_draft(question, text, name)) == [quote]


def test_settings_of_one_name_are_all_given() -> None:
    """Where the question does not say which, every setting of the name is given, and that is said."""
    draft = _draft("What is the timeout?", _YAML, "relay.yaml")
    assert [item.text for item in draft.items] == ["timeout: 30s", "timeout: 5s"]
    assert draft.caveats == ("several settings have this name: database.timeout, server.timeout",)


@pytest.mark.parametrize(
    "question",
    ["What is the user name of the database?", "What is the timeout of the mail server?", "What is the colour?"],
)
def test_a_setting_that_is_not_there_is_not_made_up(question: str) -> None:
    """A word that no key holds is not passed over."""
    draft = _draft(question, _YAML, "relay.yaml")
    assert not draft.items or draft.confidence < 0.5


def test_program_text_is_no_setting() -> None:
    """An assignment in a block of program text is none: only blocks that hold nothing else are read so."""
    manual = "# Use\n\n```python\ntimeout = wait(9)\nrun(timeout)\n```\n\nThe timeout is 12 seconds.\n"
    assert "12" in _draft("What is the timeout in seconds?", manual, "use.md").items[0].text
