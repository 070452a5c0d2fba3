"""Bytes to a parsed document. One file and one line in `PARSERS` add a format."""

#: Name → where the parser is; names also serve as the `pincite.parsers` entry-point group.
PARSERS = {
    "pdf": "pincite.parsing.pdf:PdfiumParser",
    "markdown": "pincite.parsing.markdown:MarkdownParser",
    "plain": "pincite.parsing.plain:PlainTextParser",
    "docx": "pincite.parsing.docx:DocxParser",
    "xlsx": "pincite.parsing.xlsx:XlsxParser",
    "csv": "pincite.parsing.delimited:CsvParser",
    "pptx": "pincite.parsing.pptx:PptxParser",
    "epub": "pincite.parsing.epub:EpubParser",
    "email": "pincite.parsing.email_message:EmailParser",
    "rst": "pincite.parsing.rst:RstParser",
    "asciidoc": "pincite.parsing.asciidoc:AsciiDocParser",
    "picture": "pincite.parsing.picture:PictureParser",
    "html": "pincite.parsing.html:HtmlParser",
    "code": "pincite.parsing.code:CodeParser",
}
