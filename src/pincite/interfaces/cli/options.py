"""Arguments and options that several commands take."""

from typing import Annotated, Literal

import typer

Library = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="DIR",
        help="The library: a folder or s3://BUCKET/PREFIX (default: $PINCITE_LIBRARY, ./.pincite or your data folder).",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]
AsJsonLines = Annotated[bool, typer.Option("--json", help="Print one JSON object a line, one for each question.")]
Docs = Annotated[
    list[str] | None,
    typer.Option("--doc", metavar="DOC", help="Search this document only; may be given again.", show_default=False),
]
Where = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help='Only documents with such metadata: "year=2023 and tag=policy".',
        show_default=False,
    ),
]
Document = Annotated[str, typer.Argument(metavar="DOC", help="A document: its name, path or id.", show_default=False)]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="Parse N files at a time (default: all cores).", show_default=False
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="PROVIDER:MODEL",
        help="Answer with this language model (openai:…, anthropic:…, google:…, ollama:…, openai-compatible:URL#…).",
        show_default=False,
    ),
]
Ocr = Annotated[
    Literal["auto", "never", "always"] | None,
    typer.Option(
        "--ocr",
        help="Recognise text (OCR) on pages whose own text is missing or cannot be trusted (auto), on none, or on all.",
        show_default=False,
    ),
]
Shape = Literal["text", "amount", "date", "boolean", "list", "table", "comparison"]
Method = Literal["keyword", "dense", "toc", "page", "hybrid"]
EngineName = Literal["local", "ray"]
StepName = Literal["retrieval", "answer", "verify"]


def library_of(context: typer.Context, given: str | None) -> str | None:
    """Return the library that was named after the command, else before it."""
    return given if given is not None else context.find_root().params.get("library")


def typed(text: str) -> str:
    """Return what was typed with bytes that are no text in the terminal's encoding as U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
