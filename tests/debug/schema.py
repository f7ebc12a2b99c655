"""Messages of the Debug Adapter Protocol against its JSON schema.

The schema in tests/data is the protocol's without its prose. Here it allows no property that it does not name.
"""

import json
from pathlib import Path
from typing import Any

import jsonschema

_SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "debug-adapter-protocol.schema.json").read_text())
_DEFINITIONS: dict[str, Any] = _SCHEMA["definitions"]
_BASES = ("ProtocolMessage", "Request", "Event", "Response")


def _close(schema: Any) -> None:
    """Allow no further properties in the objects of a definition, except where it adds to another one."""
    if isinstance(schema, list):
        for each in schema:
            _close(each)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "allOf" not in schema:
            schema.setdefault("additionalProperties", False)
        for name, each in schema.items():
            if name == "allOf":
                for part in each:
                    _close(part.get("properties"))
            else:
                _close(each)


for _name, _definition in _DEFINITIONS.items():
    if _name not in _BASES:
        _close(_definition)


def errors(message: dict[str, Any]) -> list[str]:
    """What is wrong with a message, a sentence each. What an adapter is launched with is its own to choose."""
    kind = message["type"]
    word = message.get("command", message.get("event", ""))
    name = f"{word[:1].upper()}{word[1:]}{kind.capitalize()}"
    if kind == "response" and not message["success"]:
        name = "ErrorResponse"
    if name == "LaunchRequest":
        name = "Request"
    if name not in _DEFINITIONS:
        return [f"there is no {name}"]
    validator = jsonschema.Draft4Validator({"$ref": f"#/definitions/{name}", "definitions": _DEFINITIONS})
    return [f"{word}: {each.json_path}: {each.message}" for each in validator.iter_errors(message)]
