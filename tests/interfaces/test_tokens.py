"""`pincite token` on the command line."""

from tests.interfaces.conftest import Run


def test_a_token_is_shown_once(run: Run) -> None:
    """`token new` prints the token and nothing else on standard output; `token ls` never shows it again."""
    made = run("token", "new", "--scope", "ask", "--collection", "default", "--name", "Ana", "--expires", "90d")
    shown = run("token", "ls")

    assert (made.code, len(made.out.strip()), made.out[:4]) == (0, 60, "pct_")
    assert (shown.code, "Ana" in shown.out, made.out.strip()[17:] in shown.out) == (0, True, False)


def test_scopes_may_be_given_again(run: Run) -> None:
    """Several scopes make a token with the highest of them."""
    made = run("token", "new", "--scope", "read", "--scope", "write", "--collection", "*", "--json").json

    assert (made["result"], made["record"]["scopes"], made["record"]["collection"]) == (
        "token",
        ["read", "ask", "write"],
        "*",
    )


def test_a_revoked_token_is_listed_as_such(run: Run) -> None:
    """Who revokes a token sees that it is worthless."""
    token_id = run("token", "new", "--scope", "read", "--collection", "*", "--json").json["record"]["token_id"]

    revoked = run("token", "revoke", token_id)

    assert (revoked.code, [t["state"] for t in run("token", "ls", "--json").json["tokens"]]) == (0, ["revoked"])


def test_what_cannot_be_done_says_what_to_do(run: Run) -> None:
    """An unknown id and a wrong period are errors that name the way on."""
    unknown = run("token", "revoke", "none")
    period = run("token", "new", "--scope", "read", "--collection", "*", "--expires", "soon")

    assert (unknown.code, "pincite token ls" in unknown.err) == (1, True)
    assert (period.code, "90d" in period.err) == (1, True)


def test_without_tokens_it_says_how_to_make_one(run: Run) -> None:
    """An empty list is no error."""
    ran = run("token", "ls")

    assert (ran.code, ran.out, "pincite token new" in ran.err) == (0, "", True)
