"""`ModelAnswerer`: a chat model fills the typed form of the question's shape from numbered lines."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from pincite.answering.filled import draft_of_form
from pincite.answering.forms import FORMS, CitedText, CountForm, Form
from pincite.answering.fragments import instructions_for
from pincite.answering.loose import draft_of_cited, draft_of_text
from pincite.answering.numbered_lines import NumberedLines
from pincite.answering.sureness import with_confidence
from pincite.errors import EmptyOutputError, InvalidOutputError
from pincite.protocols import ChatModel, OnPartial
from pincite.types.answer import Draft
from pincite.types.model import ModelRequest, OutputForm
from pincite.types.question import GenerationBrief
from pincite.types.record import Record
from pincite.types.source import ReadingLine

#: Turns a reply's text into a record, or raises `InvalidOutputError`.
ReadReply = Callable[[str, type[CitedText]], CitedText]


class AnswerOptions(Record, frozen=True, kw_only=True):
    """How long a reply may be and in which form it is asked for."""

    max_output_tokens: int = 4096
    output_form: OutputForm = "schema"


class ModelAnswerer:
    """Answers with a model; whatever it writes is a draft like any other, and is checked like any other."""

    def __init__(
        self,
        model: ChatModel,
        options: AnswerOptions | None = None,
        *,
        read_reply: ReadReply,
        on_partial: OnPartial | None = None,
    ) -> None:
        """Answer with `model`; `on_partial` is told what is there of each reply while it comes in."""
        self._model = model
        self._options = options or AnswerOptions()
        self._read_reply = read_reply
        self._on_partial = on_partial
        self._last_reply: str | None = None

    def answer(self, brief: GenerationBrief, lines: Sequence[ReadingLine]) -> Draft:
        """Return a draft of what the model replied; no items when it found nothing.

        A reply that cannot be read in any form is a draft without items whose `problems` say so: it can be asked for
        again.

        Raises:
            ProviderError: the service failed, or its reply is cut off, empty or refused.

        """
        numbered = NumberedLines(lines)
        if not len(numbered):
            return Draft(shape=brief.shape, items=(), reason="there was nothing to read")
        return self._draft(brief, numbered, self._request(brief, numbered))

    def answer_again(self, brief: GenerationBrief, lines: Sequence[ReadingLine], reasons: Sequence[str]) -> Draft:
        """Return the draft of a second reply, after the model was told exactly what was wrong with its first.

        Raises:
            ProviderError: as `answer`; also when the second reply cannot be read either.

        """
        numbered = NumberedLines(lines)
        told = "\n".join(f"- {reason}" for reason in reasons[:20])
        request = replace(
            self._request(brief, numbered),
            earlier_reply=self._last_reply or "",
            correction=(
                f"Your reply does not hold:\n{told}\nReply again, whole, in the same form. Leave out what the lines do "
                "not bear out; set found to false if nothing is left."
            ),
        )
        draft = self._draft(brief, numbered, request)
        if self._unread is not None:
            raise self._unread
        return draft

    _unread: InvalidOutputError | None = None

    def _request(self, brief: GenerationBrief, lines: NumberedLines) -> ModelRequest:
        said = instructions_for(brief, self._options.output_form)
        return ModelRequest(
            role="answer",
            instructions=said.text,
            data=lines.data(brief.question),
            fragments=said.fragments,
            max_output_tokens=self._options.max_output_tokens,
        )

    def _draft(self, brief: GenerationBrief, lines: NumberedLines, request: ModelRequest) -> Draft:
        schema: type[Form] = CountForm if brief.counts else FORMS[brief.shape]
        self._unread = None
        try:
            reply: Any = self._model.fill(request, schema, on_partial=self._on_partial)
        except EmptyOutputError:
            raise
        except InvalidOutputError as error:
            self._last_reply = error.text
            draft = self._loose(error, brief, lines)
        else:
            self._last_reply = reply.text
            draft = draft_of_form(reply.value, brief, lines)
        return with_confidence(draft, brief, lines)

    def _loose(self, error: InvalidOutputError, brief: GenerationBrief, lines: NumberedLines) -> Draft:
        """Return the draft of a reply in another form, or one without items that says what is wrong with it."""
        with contextlib.suppress(InvalidOutputError):
            return draft_of_cited(self._read_reply(error.text, CitedText), brief, lines)
        draft = draft_of_text(error.text, brief, lines)
        if draft is not None:
            return draft
        self._unread = error
        return Draft(shape=brief.shape, items=(), reason="The model's reply could not be read.", problems=(str(error),))
