"""What a chat model is asked, what it replies, and what a trace keeps of it."""

from typing import Any, Generic, Literal, TypeAlias, TypeVar

from pincite.types.record import Record

T = TypeVar("T")

#: What a model can be used for. `question` also rewrites follow-ups, `answer` also corrects its own reply, `profile`
#: says what a document is when it is added.
Role: TypeAlias = Literal["question", "toc", "arbiter", "answer", "profile"]
#: How the form of a reply is asked for: by the service's own schema option, in words, or not at all.
OutputForm: TypeAlias = Literal["schema", "json", "text"]
FinishReason: TypeAlias = Literal["stop", "length", "content_filter", "other"]


class ModelRequest(Record, frozen=True, kw_only=True):
    """One request. `instructions` are pincite's own words; `data` is all that comes from people and documents.

    `fragments` names the parts that `instructions` were put together from. When a first reply failed a check,
    `earlier_reply` is that reply and `correction` the exact reason.
    """

    role: Role
    instructions: str
    data: str
    fragments: tuple[str, ...] = ()
    max_output_tokens: int = 4096
    temperature: float = 0.0
    earlier_reply: str | None = None
    correction: str | None = None


class ModelUsage(Record, frozen=True, kw_only=True):
    """Tokens that were read and written, as the service counted them."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total(self) -> int:
        """Both together."""
        return self.input_tokens + self.output_tokens


class ModelReply(Record, Generic[T], frozen=True, kw_only=True):
    """One reply: `value` is what `text` says in the form that was asked for.

    `cost_usd` is `None` where no price is known. `attempts` counts the requests that were sent, failed ones too.
    """

    value: T
    text: str
    usage: ModelUsage
    provider: str
    model: str
    seconds: float
    cost_usd: float | None = None
    finish_reason: FinishReason = "stop"
    attempts: int = 1
    is_cached: bool = False


class ModelCall(Record, frozen=True, kw_only=True):
    """What a trace keeps of one call; `error` is the code and message of one that failed. No key is ever in it."""

    role: Role
    provider: str
    model: str
    fragments: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    finish_reason: FinishReason | None = None
    attempts: int = 1
    is_cached: bool = False
    is_correction: bool = False
    error: str | None = None
    reply: Any = None
