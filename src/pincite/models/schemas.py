"""The JSON schema of a record, in the form that every service accepts."""

import json
from typing import Any

import msgspec

from pincite.types.record import Record

#: Kept of a schema: what services with strict output accept (OpenAI's list is the shortest).
_KEPT = ("type", "enum", "const", "description")
#: Kept as well for servers that make a grammar of a schema, such as llama.cpp (its documentation of grammars).
_BOUNDS = ("maxItems", "maxLength")


def strict_schema(kind: type[Record], *, is_bounded: bool = False) -> dict[str, Any]:
    """Return the schema of `kind`: no references, every field required, no other fields; `is_bounded` keeps lengths.

    Services with strict output know no optional fields; a field that may be missing is one that may be null or empty.
    """
    (schema,), definitions = msgspec.json.schema_components([kind], ref_template="{name}")
    return _strict(schema, definitions, (*_KEPT, *_BOUNDS) if is_bounded else _KEPT)


def described(kind: type[Record]) -> str:
    """Return the schema as text, for models that are asked in words."""
    return json.dumps(strict_schema(kind), ensure_ascii=False)


def _strict(schema: dict[str, Any], definitions: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    if "$ref" in schema:
        return _strict(definitions[schema["$ref"]], definitions, names)
    kept = {name: schema[name] for name in names if name in schema}
    if "anyOf" in schema:
        kept["anyOf"] = [_strict(one, definitions, names) for one in schema["anyOf"]]
    if "properties" in schema:
        kept["properties"] = {name: _strict(one, definitions, names) for name, one in schema["properties"].items()}
        kept["required"] = list(schema["properties"])
        kept["additionalProperties"] = False
    if isinstance(schema.get("items"), dict):
        kept["items"] = _strict(schema["items"], definitions, names)
    if "enum" in kept and "type" not in kept:
        kept["type"] = "string"
    return kept
