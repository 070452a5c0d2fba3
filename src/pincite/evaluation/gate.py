"""Gates: the value that each measure may not be worse than, kept in a TOML file."""

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path

from pincite.errors import SettingsError
from pincite.evaluation.measures import LOWER_IS_BETTER
from pincite.evaluation.records import Summary
from pincite.types.record import Record


class Failing(Record, frozen=True, kw_only=True):
    """A measure that is worse than its gate; `value` is `None` where it was not measured at all."""

    measure: str
    value: float | None
    gate: float
    reason: str


def load_gates(path: str | Path) -> dict[str, float]:
    """Return measure → gate from the table `[gates]` of a file.

    Raises:
        SettingsError: there is no such file, or it is not as it has to be; the message says what is wrong.

    """
    file = Path(path).expanduser()
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: not a TOML file: {error}") from error
    gates = data.get("gates")
    if not isinstance(gates, dict) or not gates or set(data) != {"gates"}:
        raise SettingsError(f'{file}: it has to hold one table [gates] with lines such as "page_hit@1" = 0.9')
    for name, gate in gates.items():
        if isinstance(gate, bool) or not isinstance(gate, (int, float)) or not math.isfinite(gate):
            raise SettingsError(f"{file}: the gate of {name} is {gate!r}; use a number")
    return {name: float(gate) for name, gate in gates.items()}


def failing(summary: Summary, gates: Mapping[str, float]) -> tuple[Failing, ...]:
    """Return the measures that are worse than their gates. A quote that is not in its document fails without a gate.

    Measures of which less is better (`LOWER_IS_BETTER`) may be at most the gate, the others have to be at least it.
    """
    found = [failed for name, gate in gates.items() if (failed := _failing(summary, name, gate)) is not None]
    if summary.defects and not any(f.measure == "verified_quotes" for f in found):
        value = summary.measures["verified_quotes"].value
        reason = f"{len(summary.defects)} quotes are not in their documents: {summary.defects[0]}"
        found.append(Failing(measure="verified_quotes", value=value, gate=1.0, reason=reason))
    return tuple(found)


def _failing(summary: Summary, name: str, gate: float) -> Failing | None:
    measured = summary.measures.get(name)
    if measured is None:
        known = ", ".join(summary.measures)
        return Failing(measure=name, value=None, gate=gate, reason=f"{name} was not measured; measured were {known}")
    value = measured.value
    if name in LOWER_IS_BETTER:
        reason = f"{name} is {value:.4f}, above its gate {gate:.4f}"
        return Failing(measure=name, value=value, gate=gate, reason=reason) if value > gate else None
    reason = f"{name} is {value:.4f}, below its gate {gate:.4f}"
    return Failing(measure=name, value=value, gate=gate, reason=reason) if value < gate else None
