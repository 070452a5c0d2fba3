"""The models of one question: one for each role that has one, their calls written down."""

from collections.abc import Mapping
from pathlib import Path

from pincite.ask.recorder import Recorder
from pincite.models import open_model
from pincite.protocols import Answerer, ChatModel, OnPartial
from pincite.settings import Settings
from pincite.types.model import Role


class Models:
    """Opens the model of each role when it is first needed; nothing is loaded for roles without one."""

    def __init__(
        self, settings: Settings, replies: Path, recorder: Recorder, given: Mapping[Role, ChatModel] | None = None
    ) -> None:
        """Keep replies in `replies` and note calls in `recorder`; models that are `given` win over the settings."""
        self._settings = settings
        self._replies = replies
        self._recorder = recorder
        self._given = given or {}
        self._opened: dict[Role, ChatModel] = {}

    def of(self, role: Role) -> ChatModel | None:
        """Return the model of a role, `None` where none is used.

        Raises:
            SettingsError: its name has another form than `provider:model`.

        """
        if role in self._opened:
            return self._opened[role]
        model = self._given.get(role)
        name = self._settings.model_of(role)
        if model is None:
            if name is None:
                return None
            model = open_model(name, self._settings, self._replies)
        # Whoever uses no model does not pay for loading this.
        from pincite.models.recorded import RecordedModel

        self._opened[role] = RecordedModel(model, self._recorder.calls.append)
        return self._opened[role]

    def answerer(self, on_partial: OnPartial | None = None) -> Answerer | None:
        """Return the answerer that uses a model, `None` where no model answers."""
        model = self.of("answer")
        if model is None:
            return None
        from pincite.answering.model import AnswerOptions, ModelAnswerer
        from pincite.models.replies import read_reply

        options = AnswerOptions(
            max_output_tokens=self._settings.model_max_output_tokens, output_form=self._settings.model_output
        )
        return ModelAnswerer(model, options, read_reply=read_reply, on_partial=on_partial)

    def versions(self) -> dict[str, str]:
        """Return role → `provider:model` for a trace."""
        roles: tuple[Role, ...] = ("question", "toc", "arbiter", "answer")
        models = {f"model.{role}": self.of(role) for role in roles}
        return {role: model.name for role, model in models.items() if model is not None}
