"""The examples of docs/http.md, run as they stand there against a real server."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from tests.interfaces.http.conftest import ROOT, Server

PAGE = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8787"


def example(language: str, server: Server) -> str:
    """Return the examples of a language, one after the other, with the address of a server."""
    blocks = [t.content for t in MarkdownIt("commonmark").parse(PAGE) if t.type == "fence" and t.info == language]
    text = "\n".join(blocks)
    assert ADDRESS in text
    return text.replace(ADDRESS, server.address)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Return a folder with the two documents of the examples."""
    folder = tmp_path / "here"
    shutil.copytree(ROOT / "docs" / "examples", folder)
    return folder


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl(server: Server, here: Path) -> None:
    """The commands add the two documents, get an answer and a refusal, and watch a question being answered."""
    ran = subprocess.run(
        ["bash", "-euc", example("sh", server)], cwd=here, capture_output=True, text=True, check=True
    )  # fmt: skip
    replies, _, events = ran.stdout.partition("event: question")
    jobs, answer, refusal = (value for value in json_values(replies))

    assert [(job["name"], job["state"]) for job in jobs["jobs"]] == [
        ("harbour-rules.md", "done"),
        ("night-watch.txt", "done"),
    ]
    assert (answer["result"], answer["items"][0]["citations"][0]["quote"]) == (
        "answer",
        "A visiting boat pays 14.50 euros a night.",
    )
    assert refusal["result"] == "refusal"
    assert re.findall(r"^event: (\w+)", events, re.MULTILINE)[-1] == "done"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript(server: Server, here: Path, tmp_path: Path) -> None:
    """The script shows the steps, then the checked answer with its place; what cannot be asked is an error."""
    server.add("harbour-rules.md", (here / "harbour-rules.md").read_bytes())
    script = example("js", server) + "\nawait ask(' ').catch((error) => console.log(`error: ${error.message}`));\n"
    script += "console.log((await ask('Who is the harbour master?')).result);\n"
    script += "const forged = [{ citations: [{ quote: '15', lines: [{ text: '14' }] }] }];\n"
    script += "console.log(checked({ result: 'answer', items: forged }));\n"
    (tmp_path / "example.mjs").write_text(script, encoding="utf-8")

    ran = subprocess.run(["node", tmp_path / "example.mjs"], capture_output=True, text=True, check=True)

    said = ran.stdout.splitlines()
    assert said[0] == "… question"
    assert "14.50 euros — harbour-rules.md l.10" in said
    assert any(line.startswith("error: ") for line in said)
    assert "refusal" in said
    assert said[-1] == "{ result: 'answer', items: [] }"


@pytest.mark.skipif(shutil.which("php") is None, reason="PHP is not installed")
def test_php(server: Server, here: Path, tmp_path: Path) -> None:
    """The shortcode shows the checked answer, or the refusal, as text; WordPress's functions are stood in for."""
    server.add("harbour-rules.md", (here / "harbour-rules.md").read_bytes())
    plugin = "\n".join(t.content for t in MarkdownIt("commonmark").parse(PAGE) if t.type == "fence" and t.info == "php")
    (tmp_path / "plugin.php").write_text(plugin, encoding="utf-8")
    (tmp_path / "wordpress.php").write_text(
        f"""<?php
        define('PINCITE_SERVER', '{server.address}'); define('PINCITE_TOKEN', '');
        function wp_json_encode($value) {{ return json_encode($value); }}
        function is_wp_error($reply) {{ return $reply === false; }}
        function wp_strip_all_tags($text) {{ return strip_tags($text); }}
        function esc_html($text) {{ return htmlspecialchars($text); }}
        function wp_remote_retrieve_body($reply) {{ return $reply; }}
        function wp_remote_retrieve_response_code($reply) {{ return 200; }}
        function wp_remote_post($url, $sent) {{
            $headers = 'Content-Type: application/json';
            $http = ['method' => 'POST', 'header' => $headers, 'content' => $sent['body']];
            return file_get_contents($url, false, stream_context_create(['http' => $http]));
        }}
        function add_shortcode($name, $shown) {{ $GLOBALS['shown'] = $shown; }}
        require __DIR__ . '/plugin.php';
        echo $shown([], 'What does a visiting boat pay a night?'), "\\n", $shown([], 'Who is the harbour master?');
        """,
        encoding="utf-8",
    )

    ran = subprocess.run(["php", tmp_path / "wordpress.php"], capture_output=True, text=True, check=True)

    answer, refusal = ran.stdout.splitlines()
    assert "14.50 euros" in answer
    assert refusal.startswith("<p>Not in the")


def json_values(text: str) -> list[dict[str, Any]]:
    """Return the JSON values that stand in a text one after the other."""
    decoder, values, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        values.append(value)
    return values
