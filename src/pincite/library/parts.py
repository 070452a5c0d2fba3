"""The parts of one library, each made when it is first needed."""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from msgspec.structs import replace

from pincite.answering import ANSWERERS
from pincite.ask import Tools
from pincite.ask.events import Listener
from pincite.ask.reading import ReadDocument
from pincite.ask.recorder import Recorder
from pincite.errors import DocumentGoneError, EmbeddingModelChangedError, ProviderError, UnknownDocumentError
from pincite.library.models import Models
from pincite.library.streaming import partial_teller, telling
from pincite.models import RERANKERS, open_embedder, open_model
from pincite.models.cache import FOLDER
from pincite.models.guarded import GuardedEmbedder
from pincite.protocols import Answerer, ChatModel, Embedder, Reranker, Retriever
from pincite.questions import ConceptKeyword, concepts_of, load_concepts
from pincite.registry import load
from pincite.retrieval import HybridRetriever, Method, RoutedRetriever
from pincite.settings import Settings
from pincite.storage.opening import LibraryStore
from pincite.text.fold import NORMALISER_VERSION
from pincite.text.tokens import TOKENIZER_VERSION
from pincite.types.model import Role

#: How many whole documents are kept in memory.
_CACHED_DOCUMENTS = 32


class Parts:
    """Embedder, retrievers, answerer and read documents of one store."""

    def __init__(
        self,
        store: LibraryStore,
        settings: Settings,
        embedder: Embedder | None,
        models: Mapping[Role, ChatModel] | None = None,
    ) -> None:
        """Work on `store`; `embedder` and `models` win over those that the settings name."""
        self._store = store
        self._settings = settings
        self._given_embedder = embedder
        self._given_models = models or {}
        self._documents: OrderedDict[tuple[str, str], ReadDocument] = OrderedDict()
        self._reading = threading.Lock()
        self._retrievers: dict[tuple[Method, bool], HybridRetriever] = {}

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedder; its model is loaded when it is first used."""
        if self._given_embedder is not None:
            return self._given_embedder
        return open_embedder(self._settings.embedder, self._settings)

    @cached_property
    def profiler(self) -> ChatModel | None:
        """The model that says what documents are, `None` where none does.

        Raises:
            SettingsError: its name has another form than `provider:model`.

        """
        name = self._settings.model_of("profile")
        if "profile" in self._given_models:
            return self._given_models["profile"]
        return None if name is None else open_model(name, self._settings, self._store.path / FOLDER)

    @cached_property
    def guarded(self) -> GuardedEmbedder | None:
        """The embedder as questions use it: its failures are typed, and a service that is down is asked once."""
        return None if self.embedder is None else GuardedEmbedder(self.embedder)

    @cached_property
    def reranker(self) -> Reranker | None:
        """The reranker of the settings; its model is loaded when it is first used.

        Raises:
            SettingsError: there is none of that name, or its folder lacks a file.

        """
        name, _, folder = self._settings.reranker.partition(":")
        if name == "none":
            return None
        if name == "late-interaction":
            return self.closeness
        make = load(name, RERANKERS, group="pincite.rerankers")
        made: Reranker = make(Path(folder)) if folder else make()
        return made

    @cached_property
    def closeness(self) -> Reranker | None:
        """What looks at the best sentence once more, see `closeness_of`."""
        return closeness_of(self.embedder)

    def warm(self) -> None:
        """Begin to load the embedder's model beside other work; the first `embed` waits for what is not done."""
        warm = getattr(self.embedder, "warm", None)
        if warm is not None:
            # Two threads that import numpy at once can each meet a half-made one.
            import numpy  # noqa: F401, ICN001

            # Not a daemon: native code that runs while the interpreter ends would crash it.
            threading.Thread(target=_try, args=(warm,), name="pincite-warm").start()

    @cached_property
    def concepts(self) -> tuple[ConceptKeyword, ...]:
        """The vocabulary of the fields in the settings, and the user's own table."""
        path = self._settings.concept_keywords
        own = load_concepts(Path(path).expanduser()) if path else ()
        fields = [name.strip() for name in self._settings.vocabulary.split(",") if name.strip()]
        return concepts_of([] if fields == ["none"] else fields, own)

    def retriever(self, method: Method, *, dense: bool = True) -> HybridRetriever:
        """Return the retriever for a method; without `dense` it searches by words and contents alone."""
        key = (method, dense)
        if key not in self._retrievers:
            embedder = self.guarded if dense else None
            self._retrievers[key] = HybridRetriever(
                self._store,
                embedder,
                reranker=self.reranker if embedder is not None else None,
                dense_weight=self._settings.dense_weight,
                method=method,
            )
        return self._retrievers[key]

    def tools(self, listener: Listener | None = None) -> Tools:
        """Return what a question needs, and what has to be said with every answer; `listener` is told each event.

        Raises:
            SettingsError: a model's name has another form than `provider:model`.

        """
        embedder, notes = self._usable_embedder()
        guarded = self.guarded if embedder is not None else None
        recorder = Recorder(None if listener is None else telling(listener))
        models = Models(self._settings, self._store.path / FOLDER, recorder, self._given_models)
        quoter: Answerer = load("extractive", ANSWERERS, group="pincite.answerers")(
            guarded, closeness=self.closeness if guarded is not None else None
        )
        return Tools(
            store=self._store,
            retriever=self._routed(self.retriever("hybrid", dense=embedder is not None), models),
            answerer=models.answerer(partial_teller(listener)) or quoter,
            quoter=quoter,
            model=models.of,
            recorder=recorder,
            document_of=self.read,
            settings=self._settings,
            concepts=self.concepts,
            notes=notes,
            late_notes=guarded.notes if guarded is not None else tuple,
            versions={
                "pincite": version("pincite"),
                "normaliser": str(NORMALISER_VERSION),
                "tokenizer": str(TOKENIZER_VERSION),
                "embedder": embedder.name if embedder else "none",
                **models.versions(),
            },
        )

    def _routed(self, retriever: Retriever, models: Models) -> Retriever:
        """Return the retriever with the router and the arbiter that the settings name, if they do."""
        router, arbiter = models.of("toc"), models.of("arbiter")
        if router is None and arbiter is None:
            return retriever
        return RoutedRetriever(retriever, self._store, router=router, arbiter=arbiter)

    def _usable_embedder(self) -> tuple[Embedder | None, tuple[str, ...]]:
        """Return the embedder if its vectors are the stored ones, and what to say if not."""
        embedder = self.embedder
        if embedder is None:
            return None, ()
        try:
            self._store.vectors.check(embedder)
            done, total = self._store.vectors.progress(embedder)
        except EmbeddingModelChangedError as error:
            return None, (f"{error.code}: {error}; answered by keywords and contents alone",)
        except ProviderError as error:
            return None, (
                f"{error.code}: the embedder cannot be asked: {error}; answered by keywords and contents alone",
            )
        lag = (f"searched by meaning in {done} of {total} passages: `pincite embed` makes the rest",)
        return embedder, lag if done < total else ()

    def read(self, doc_id: str) -> ReadDocument:
        """Return a whole document under the name it has now.

        Raises:
            DocumentGoneError: it is no longer in the library.

        """
        record = next((r for r in self._store.records() if r.doc_id == doc_id), None)
        if record is None:
            raise DocumentGoneError(f"document {doc_id!r} is no longer in the library")
        key = (doc_id, record.content_hash)
        with self._reading:
            known = self._documents.get(key)
        if known is None:  # outside the lock: a long document does not hold up who reads another
            try:
                known = ReadDocument(record=record, document=self._store.document(doc_id))
            except UnknownDocumentError as error:
                raise DocumentGoneError(str(error)) from error
        with self._reading:
            self._documents[key] = known
            self._documents.move_to_end(key)
            while len(self._documents) > _CACHED_DOCUMENTS:
                self._documents.popitem(last=False)
        return replace(known, record=record)

    def find(self, doc_id: str, content_hash: str) -> ReadDocument | None:
        """Return the document of an id, else one with the same bytes under another address."""
        with contextlib.suppress(UnknownDocumentError):
            return self.read(doc_id)
        same = self._store.find_by_hash(content_hash)
        return None if same is None else self.read(same.doc_id)


def closeness_of(embedder: Embedder | None) -> Reranker | None:
    """Return late interaction where the default embedder is used, whose model it shares; `None` elsewhere."""
    from pincite.models.minilm import MiniLmEmbedder

    made: Reranker | None = None
    if isinstance(embedder, MiniLmEmbedder):
        made = load("late-interaction", RERANKERS, group="pincite.rerankers")()
    return made


def _try(work: Callable[[], None]) -> None:
    """Do it, or leave the failure to whoever needs the outcome: they meet it again."""
    with contextlib.suppress(Exception):
        work()
