"""Reads `initialize` without lsprotocol's converter, which compiles code for each class it meets.

That takes a sixth of the time until the answer. Only what the protocol takes is read like this: `read` gives None for
anything else, which the converter then refuses.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from lsprotocol import types

_GROUPS = ("workspace", "textDocument", "notebookDocument", "window", "general")
_OWN_WORDS = frozenset(("experimental", "initialization_options"))  # which are passed on as they are
_TEXT, _FOLDER = (str, type(None)), {"uri": str, "name": str}


class Said:
    """An object that a client has sent: its members under the names of lsprotocol; None for what it does not say."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self._members.get(_camel(name))
        found = value if name in _OWN_WORDS else _said(value)
        setattr(self, name, found)
        return found


def read(message: Mapping[str, Any]) -> Any:
    """A request to initialize; None of another message, and of one whose parameters the protocol does not have."""
    params = message.get("params")
    if message.get("method") != types.INITIALIZE or "id" not in message or not isinstance(params, dict):
        return None
    if not all(isinstance(params.get(name), _TEXT) for name in ("rootUri", "rootPath", "locale")):
        return None
    process, folders = params.get("processId"), params.get("workspaceFolders") or []
    if not (process is None or type(process) is int) or not isinstance(folders, list):
        return None
    if not all(_has(folder, _FOLDER) for folder in folders) or not _are_capabilities(params.get("capabilities")):
        return None
    return SimpleNamespace(**{**message, "params": Said(params)})


def _are_capabilities(found: object) -> bool:
    if not isinstance(found, dict) or not all(isinstance(found.get(name) or {}, dict) for name in _GROUPS):
        return False
    encodings = (found.get("general") or {}).get("positionEncodings") or []
    return isinstance(encodings, list) and all(isinstance(each, str) for each in encodings)


def _has(found: object, members: Mapping[str, type]) -> bool:
    return isinstance(found, dict) and all(isinstance(found.get(name), kind) for name, kind in members.items())


def _said(value: Any) -> Any:
    if isinstance(value, dict):
        return Said(value)
    return [_said(each) for each in value] if isinstance(value, list) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
