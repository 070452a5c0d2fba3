"""E-mail messages: who wrote to whom and when, the text, messages attached to it; other attachments are listed."""

import email
import email.policy
import email.utils
import re
from contextlib import suppress
from email.message import EmailMessage
from typing import Any, ClassVar, Final

from selectolax.lexbor import LexborHTMLParser

from pincite.errors import CorruptFileError, EmptyFileError, NotTextError
from pincite.parsing.archive import reading
from pincite.parsing.composed import Facts
from pincite.parsing.composing import Composer
from pincite.parsing.detect import is_binary
from pincite.parsing.encoding import decode
from pincite.parsing.html_reading import HtmlReader
from pincite.parsing.media_types import EMAIL
from pincite.parsing.paragraphs import one_line
from pincite.parsing.text_document import split_lines
from pincite.protocols import Progress
from pincite.types.document import Attachment, HiddenText, ParsedDocument, Role

_SHOWN: Final = ("From", "To", "Cc", "Bcc", "Reply-To", "Date")
_LIST_ITEM: Final = re.compile(r"\s*(?:[-*•‣▪–]|\(?\d{1,3}[.)])\s+\S")
#: Messages inside messages beyond this depth are listed, not read.
_MAX_DEPTH: Final = 5


class EmailParser:
    """Parses messages (RFC 5322 with MIME). Nothing that a message points to is fetched."""

    version: ClassVar[str] = "email/2"

    def parse(self, content: bytes, *, name: str, uri: str, progress: Progress | None = None) -> ParsedDocument:
        """Return the document: one page without a size; header fields, then the lines of the text.

        Raises:
            EmptyFileError: there are no bytes.
            NotTextError: the bytes are not text.
            CorruptFileError: there is no message in it.

        """
        if not content:
            raise EmptyFileError("the file is empty", origin=name)
        if is_binary(content[:65536]):
            raise NotTextError("the bytes are not text, whatever the name says", origin=name)
        reader = _Reader(name)
        with reading(name, "an e-mail message"):
            message = email.message_from_bytes(content, policy=email.policy.default)
            if not any(message.get(field) for field in (*_SHOWN, "Subject", "Message-ID")):
                raise CorruptFileError("it has no header fields of a message", origin=name)
            reader.read(message, 0)
            metadata = _metadata(message)
        facts = Facts(
            media_type=EMAIL,
            format_name="e-mail",
            metadata=metadata,
            title=metadata.get("subject"),
            attachments=tuple(reader.attachments),
            hidden=tuple(reader.hidden),
        )
        document = reader.composer.document(content, facts, name=name, uri=uri, parser=self.version)
        if progress is not None:
            progress(1, 1)
        return document


class _Reader:
    """Writes messages into one `Composer`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.composer = Composer()
        self.attachments: list[Attachment] = []
        self.hidden: list[HiddenText] = []

    def read(self, message: Any, depth: int) -> None:
        """Write the header fields, the text and the messages attached to a message."""
        subject = _field(message, "Subject")
        if subject:
            self.composer.heading(subject, depth + 1)
        else:
            self.composer.section(f"Message from {_field(message, 'From') or 'somebody'}", depth + 1)
        shown = [f"{field}: {text}" for field in _SHOWN if (text := _field(message, field))]
        self.composer.add("\n".join(shown))
        body = message.get_body(preferencelist=("plain", "html")) if isinstance(message, EmailMessage) else None
        if body is not None:
            self._body(body)
        for part in _parts(message):
            if part is not body:
                self._attached(part, depth)

    def _body(self, part: Any) -> None:
        text = self._text(part)
        if part.get_content_type() == "text/html":
            page = LexborHTMLParser(text)
            reader = HtmlReader(self.composer, base_level=1)
            reader.read(page)
            self.hidden += reader.hidden
            return
        self.composer.row("")
        for line in split_lines(text):
            role: Role = "list" if _LIST_ITEM.match(line) else "body"
            self.composer.row(line.expandtabs(4).rstrip(), role if line.strip() else "body")

    def _text(self, part: Any) -> str:
        """Return the text of a part in the encoding it names, or in the one its bytes have."""
        payload = part.get_payload(decode=True) or b""
        charset = part.get_content_charset() or "utf-8"
        try:
            return str(payload.decode(charset)).replace("\0", "")
        except (UnicodeError, LookupError):
            return decode(payload, self._name).text if payload else ""

    def _attached(self, part: Any, depth: int) -> None:
        kind = part.get_content_type()
        if kind == "message/rfc822" and depth < _MAX_DEPTH:
            inner = part.get_payload()
            for message in inner if isinstance(inner, list) else ():
                self.read(message, depth + 1)
            return
        filename = one_line(part.get_filename() or "")
        disposition = part.get_content_disposition()
        if filename or disposition == "attachment" or not kind.startswith("text/"):
            payload = part.get_payload(decode=True)
            base = re.split(r"[/\\]", filename)[-1] or kind
            self.attachments.append(Attachment(name=base, n_bytes=len(payload) if isinstance(payload, bytes) else 0))


def _parts(message: Any) -> list[Any]:
    """Return the leaves of a message, attached messages whole; alternatives of the text are left out."""
    found, stack = [], [message]
    while stack:
        part = stack.pop()
        kind = part.get_content_type()
        if part.is_multipart() and kind != "message/rfc822":
            payload = part.get_payload()
            stack.extend(reversed(payload if isinstance(payload, list) else []))
        elif part is not message:
            is_text = kind in {"text/plain", "text/html"} and part.get_content_disposition() != "attachment"
            if not is_text or part.get_filename():
                found.append(part)
    return found


def _field(message: Any, name: str) -> str:
    """Return a header field as text; one that cannot be read as it stands."""
    try:
        value = message.get(name)
        return one_line(str(value)) if value is not None else ""
    except Exception:  # noqa: BLE001 - the header parser of the standard library trips over malformed fields
        raw = next((text for key, text in message.raw_items() if key.lower() == name.lower()), "")
        return one_line(str(raw))


def _metadata(message: Any) -> dict[str, Any]:
    keys = {"from": "From", "to": "To", "cc": "Cc", "subject": "Subject", "message_id": "Message-ID"}
    found: dict[str, Any] = {key: text for key, field in keys.items() if (text := _field(message, field))}
    with suppress(ValueError, TypeError, IndexError):  # a message without a date that can be read has none
        found["date"] = email.utils.parsedate_to_datetime(_field(message, "Date")).date().isoformat()
    return found
