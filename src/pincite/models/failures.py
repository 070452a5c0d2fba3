"""What a service's library raises, to pincite's own errors; no key is left in their messages."""

from collections.abc import Iterable

from pincite.errors import (
    ConnectionCutError,
    EmptyOutputError,
    ModelNotFoundError,
    ProviderAuthenticationError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    RequestRejectedError,
)
from pincite.models.keys import VARIABLES, without_keys
from pincite.models.names import ModelName
from pincite.models.providers import Service

#: What may pass: these are sent again.
TRANSIENT = (RateLimitedError, ProviderUnavailableError, ProviderTimeoutError, ConnectionCutError)
#: How much of a service's own message is shown.
_SHOWN = 300


def failure(error: Exception, service: Service, *, timeout_s: float, keys: Iterable[str] = ()) -> ProviderError:
    """Return the error that says what went wrong, where, and what to do.

    It carries no cause: the service's own error may hold the key, and would be shown with it.
    """
    if isinstance(error, ProviderError):
        return error
    name, said = service.name, _said(error, keys)
    from pydantic_ai import exceptions as theirs

    match error:
        case theirs.ModelAuthenticationError():
            variable = VARIABLES[name.provider][0]
            return ProviderAuthenticationError(f"{name}: the service refused the key: check {variable}{said}")
        case theirs.ModelNotFoundError():
            return ModelNotFoundError(f"{name}: there is no such model at {_place(service)}: check its name{said}")
        case theirs.ModelRequestRejectedError():
            is_long = isinstance(error, theirs.ModelContextWindowExceededError)
            what = (
                "the question and its lines are too long for this model"
                if is_long
                else "the service does not accept it"
            )
            return RequestRejectedError(f"{name}: {what}{said}")
        case theirs.ModelRateLimitError() | theirs.ModelQuotaExceededError():
            return RateLimitedError(
                f"{name}: too many requests, or no credit left{_wait(error.retry_after)}{said}",
                retry_after_s=error.retry_after,
            )
        case theirs.ModelRequestTimeout() | theirs.ModelTimeoutError():
            return ProviderTimeoutError(
                f"{name}: no whole reply within {timeout_s:g} s: try again, or raise the setting model_timeout_s"
            )
        case theirs.ModelConnectionError():
            return _connection(error, service, said)
        case theirs.ModelUnavailableError() | theirs.ModelServerError():
            return ProviderUnavailableError(
                f"{name}: the service is broken or overloaded: try again later{said}", retry_after_s=error.retry_after
            )
        case theirs.ContentFilterError():
            return ProviderRefusedError(f"{name}: the service's filter refused to reply{said}")
        case theirs.UnexpectedModelBehavior() | theirs.ModelAPIError():
            return _unreadable(error, service, said)
        case _:
            return ProviderError(f"{name}: {type(error).__name__}{said}")


def _unreadable(error: Exception, service: Service, said: str) -> ProviderError:
    """Return the error for what is no whole reply of such a service: HTML in place of JSON, a half message."""
    if "ended without content" in str(error):
        return EmptyOutputError(f"{service.name}: the model returned no text")
    if "without a `finish_reason`" in str(error):
        return ConnectionCutError(f"{service.name}: the reply broke off before its end: try again")
    return ProviderUnavailableError(f"{service.name}: what {_place(service)} sends cannot be read{said}")


def is_final(error: ProviderError) -> bool:
    """Say whether sending the same request again cannot help."""
    return not isinstance(error, TRANSIENT) or _is_out_of_credit(error)


def _is_out_of_credit(error: ProviderError) -> bool:
    return isinstance(error, RateLimitedError) and "insufficient_quota" in str(error)


def _connection(error: Exception, service: Service, said: str) -> ProviderError:
    if getattr(error, "phase", None) in ("connect", "pool") or "ConnectError" in _kinds(error):
        return ProviderUnavailableError(f"{service.name}: cannot reach {_place(service)}: is it running?{said}")
    return ConnectionCutError(f"{service.name}: the connection to {_place(service)} was cut: try again{said}")


def _kinds(error: BaseException | None) -> list[str]:
    """Return the names of the classes of an error and of what caused it."""
    kinds: list[str] = []
    while error is not None and len(kinds) < 10:
        kinds.append(type(error).__name__)
        error = error.__cause__ or error.__context__
    return kinds


def _place(service: Service) -> str:
    return service.base_url or f"the {service.name.provider} service"


def _wait(seconds: float | None) -> str:
    return f"; the service asks to wait {seconds:g} s" if seconds else ""


def _said(error: Exception, keys: Iterable[str]) -> str:
    body = getattr(error, "body", None)
    message = _message(body) or str(error)
    flat = " ".join(without_keys(message, keys).split())
    cut = flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"
    status = getattr(error, "status_code", None)
    return f" ({status}: {cut})" if status else f" ({cut})"


def _message(body: object) -> str | None:
    """Return the message of an error body: `{"error": {"message": …}}` or a part of it."""
    if isinstance(body, dict):
        code = body.get("code") or body.get("type")
        inner = body.get("error")
        if isinstance(inner, dict):
            return _message(inner)
        said = body.get("message") or (inner if isinstance(inner, str) else None)
        return f"{said} [{code}]" if said and isinstance(code, str) else said
    return body if isinstance(body, str) else None


def named(name: ModelName, error: ProviderError) -> str:
    """Return an error as a trace keeps it: code and message."""
    return f"{error.code}: {error}" if str(name) in str(error) else f"{error.code}: {name}: {error}"
