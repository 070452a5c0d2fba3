"""What is asked, and the parts that a question needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.ask.reading import DocumentOf
from pincite.ask.recorder import Recorder
from pincite.protocols import Answerer, ChatModel, Retriever, Store
from pincite.questions import ConceptKeyword
from pincite.settings import Settings
from pincite.types.model import Role
from pincite.types.question import Shape
from pincite.types.record import Record


class AskRequest(Record, frozen=True, kw_only=True):
    """What is asked and where. `doc_ids` empty means every document; `pages` are labels as typed."""

    question: str
    doc_ids: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    shape: Shape | None = None


def _no_model(role: Role) -> ChatModel | None:
    """Return no model, whatever it is for."""
    del role
    return None


@dataclass(frozen=True, slots=True)
class Tools:
    """The parts that a question needs; `notes` are said with every result (dense search is off, for example).

    `late_notes` returns what came up while the question was answered, and is asked once it is.
    `quoter` answers without a model, for what is only noted beside the answer. `model` returns the model of a role.
    """

    store: Store
    retriever: Retriever
    answerer: Answerer
    document_of: DocumentOf
    settings: Settings
    versions: Mapping[str, str]
    concepts: Sequence[ConceptKeyword] = ()
    notes: tuple[str, ...] = ()
    late_notes: Callable[[], tuple[str, ...]] = tuple
    recorder: Recorder = field(default_factory=Recorder)
    quoter: Answerer | None = None
    model: Callable[[Role], ChatModel | None] = _no_model
