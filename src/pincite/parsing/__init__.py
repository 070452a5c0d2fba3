"""Bytes to a parsed document. One file and one line in `PARSERS` add a format."""

#: Name → where the parser is; names also serve as the `pincite.parsers` entry-point group.
PARSERS = {
    "pdf": "pincite.parsing.pdf:PdfiumParser",
    "markdown": "pincite.parsing.markdown:MarkdownParser",
    "plain": "pincite.parsing.plain:PlainTextParser",
}
