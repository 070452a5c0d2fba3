"""Everything pincite raises on purpose.

PinciteError
├── SettingsError                a setting is missing, unknown, or contradicts another
│   ├── MissingExtraError            an optional package is not installed
│   └── TokenRequiredError           other machines may only be served with a token
├── QuestionError                the question is empty, too long, or not text
├── UnknownDocumentError         a filter names a document that is not there
│   └── DocumentGoneError            a document was removed or replaced while it was read
├── FilterError                  a `--where` condition cannot be read
├── SourceError                  the bytes cannot be fetched
│   ├── SourceNotFoundError          there is nothing at that address
│   │   └── EmptyRepositoryError         the repository has no commit yet
│   ├── SourceDeniedError            the place may not be read: no permission, or robots.txt
│   ├── SourceUnreachableError       no answer, a broken one, or a fault of the server: another try may work
│   ├── SourceRateLimitError         too many requests; the message says when to go on
│   ├── SourceLimitError             larger, slower or further away than is allowed
│   ├── BlockedAddressError          an address inside a private network
│   └── PassedOverError              the file is no document: a link, a submodule, a pointer
├── StoppedError                 whoever asked for the work stopped it
├── ParseError                   the bytes are not a document we can read
│   ├── EmptyFileError               there are no bytes
│   ├── NotTextError                 binary bytes under a text name
│   ├── NotAPdfError                 the bytes are of another type than the name says
│   ├── CorruptFileError             broken beyond repair
│   │   └── CorruptPdfError              a PDF that is
│   ├── PasswordRequiredError        encrypted, and no password opens it
│   ├── UnsupportedFormatError       no parser takes this media type
│   ├── ParseTimeoutError            the time limit passed
│   └── ParseMemoryError             the memory limit was reached, or the parser died
├── StoreError                   the library on disk cannot be used
│   ├── LibraryVersionError          made by another version of the schema
│   └── LibraryBusyError             another process is writing, and waiting ran out
├── ClusterError                 the nodes that should do the work cannot be reached, or cannot do it
├── EmbeddingModelChangedError   the stored vectors come from another embedder
├── QuoteError                   a bundle or draft cannot be checked
├── PassagesError                a file of reviewed passages or of their evals cannot be used
└── ProviderError                the model service failed
    ├── ProviderAuthenticationError  the key is missing, wrong, or not allowed to use the model
    ├── ModelNotFoundError           the service has no model of that name
    ├── RequestRejectedError         the request is not accepted: too long, or not understood
    ├── RateLimitedError             too many requests, or no credit left (another try may work)
    ├── ProviderUnavailableError     no connection, overloaded, or broken (another try may work)
    ├── ProviderTimeoutError         no reply in time (another try may work)
    ├── ConnectionCutError           the reply broke off (another try may work)
    ├── OutputTruncatedError         the reply reached its length limit and is not whole
    ├── InvalidOutputError           the reply does not have the form that was asked for
    │   └── EmptyOutputError             there is no reply at all
    └── ProviderRefusedError         the model or a filter of its service refused to reply

A question without an answer is not an error: it is a `Refusal`. A model service that fails is never a `Refusal`.
Every class carries a stable `code`, the same on the command line and in JSON.
"""

from typing import ClassVar


class PinciteError(Exception):
    """Base class, for callers who want to catch all of the above."""

    code: ClassVar[str] = "error"


class SettingsError(PinciteError):
    """A setting is missing, unknown, or contradicts another."""

    code = "invalid_settings"


class MissingExtraError(SettingsError):
    """An optional package is not installed; the message names what to install."""

    code = "missing_extra"


class TokenRequiredError(SettingsError):
    """Other machines may only be served with a token; the message names the command that makes one."""

    code = "token_required"


class QuestionError(PinciteError):
    """The question is empty, too long, or not text."""

    code = "invalid_question"


class UnknownDocumentError(PinciteError):
    """A filter names a document that is not there."""

    code = "unknown_document"


class DocumentGoneError(UnknownDocumentError):
    """A document was removed or replaced while it was read; the same question again reads what is there now."""

    code = "document_gone"


class SourceError(PinciteError):
    """The bytes cannot be fetched."""

    code = "source_failed"


class SourceNotFoundError(SourceError):
    """There is nothing at that address."""

    code = "source_not_found"


class EmptyRepositoryError(SourceNotFoundError):
    """The repository has no commit yet."""

    code = "empty_repository"


class SourceDeniedError(SourceError):
    """The place may not be read: no permission, or robots.txt."""

    code = "source_denied"


class SourceUnreachableError(SourceError):
    """No answer, a broken one, or a fault of the server: another try may work."""

    code = "source_unreachable"


class SourceRateLimitError(SourceError):
    """Too many requests; the message says when to go on."""

    code = "source_rate_limited"


class SourceLimitError(SourceError):
    """Larger, slower or further away than is allowed."""

    code = "source_limit"


class BlockedAddressError(SourceError):
    """An address inside a private network."""

    code = "blocked_address"


class PassedOverError(SourceError):
    """The file is no document: a link, a submodule, a pointer to bytes kept elsewhere."""

    code = "passed_over"


class StoppedError(PinciteError):
    """Whoever asked for the work stopped it."""

    code = "stopped"


class FilterError(PinciteError):
    """A `--where` condition cannot be read."""

    code = "invalid_filter"


class ParseError(PinciteError):
    """The bytes are not a document we can read."""

    code = "corrupt_file"

    def __init__(self, message: str, *, origin: str, page_num: int | None = None) -> None:
        """Say where it went wrong: `page_num` starts at 1, `None` is the file."""
        place = origin if page_num is None else f"{origin}, page {page_num}"
        super().__init__(f"{place}: {message}")
        self.message = message
        self.origin = origin
        self.page_num = page_num


class EmptyFileError(ParseError):
    """There are no bytes."""

    code = "empty_file"


class NotTextError(ParseError):
    """Binary bytes under a text name."""

    code = "not_text"


class NotAPdfError(ParseError):
    """The bytes are of another type than the name says."""

    code = "not_a_pdf"


class CorruptFileError(ParseError):
    """Broken beyond repair."""


class CorruptPdfError(CorruptFileError):
    """A PDF that is broken beyond repair."""

    code = "corrupt_pdf"


class PasswordRequiredError(ParseError):
    """Encrypted, and no password opens it."""

    code = "password_required"


class UnsupportedFormatError(ParseError):
    """No parser takes this media type."""

    code = "unsupported_format"


class ParseTimeoutError(ParseError):
    """The time limit passed."""

    code = "parse_timeout"


class ParseMemoryError(ParseError):
    """The memory limit was reached, or the parser died."""

    code = "parse_memory"


class StoreError(PinciteError):
    """The library on disk cannot be used."""

    code = "store_failed"


class LibraryVersionError(StoreError):
    """Made by another version of the schema."""

    code = "library_version"


class LibraryBusyError(StoreError):
    """Another process is writing, and waiting ran out."""

    code = "library_busy"


class ClusterError(PinciteError):
    """The nodes that should do the work cannot be reached, or cannot do it."""

    code = "cluster_failed"


class EmbeddingModelChangedError(PinciteError):
    """The stored vectors come from another embedder."""

    code = "embedding_model_changed"


class QuoteError(PinciteError):
    """A bundle or draft cannot be checked."""

    code = "invalid_quote"


class PassagesError(PinciteError):
    """A file of reviewed passages or of their evals cannot be used."""

    code = "invalid_passages"


class ProviderError(PinciteError):
    """The model service failed.

    `input_tokens`, `output_tokens`, `seconds` and `attempts` are what the failed call cost all the same.
    """

    code = "provider_failed"
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    attempts: int = 1


class ProviderAuthenticationError(ProviderError):
    """The key is missing, wrong, or not allowed to use the model."""

    code = "provider_authentication"


class ModelNotFoundError(ProviderError):
    """The service has no model of that name, or the address is not that of a model service."""

    code = "model_not_found"


class RequestRejectedError(ProviderError):
    """The request is not accepted: too long for the model, or not understood by the service."""

    code = "request_rejected"


class RateLimitedError(ProviderError):
    """Too many requests, or no credit left; `retry_after_s` is how long the service asked to wait, if it said."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        """Keep how many seconds the service asked to wait."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ProviderUnavailableError(ProviderError):
    """No connection, overloaded, or broken; `retry_after_s` is how long the service asked to wait, if it said."""

    code = "provider_unavailable"

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        """Keep how many seconds the service asked to wait."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ProviderTimeoutError(ProviderError):
    """No reply in time."""

    code = "provider_timeout"


class ConnectionCutError(ProviderError):
    """The reply broke off."""

    code = "connection_cut"


class OutputTruncatedError(ProviderError):
    """The reply reached its length limit: it is not whole, even where it can be read."""

    code = "output_truncated"


class InvalidOutputError(ProviderError):
    """The reply does not have the form that was asked for; `text` is the reply."""

    code = "bad_output"

    def __init__(self, message: str, *, text: str = "") -> None:
        """Keep the reply, for who can read it in another form."""
        super().__init__(message)
        self.text = text


class EmptyOutputError(InvalidOutputError):
    """There is no reply at all."""

    code = "empty_output"


class ProviderRefusedError(ProviderError):
    """The model or a filter of its service refused to reply. This says nothing about the documents."""

    code = "provider_refused"
