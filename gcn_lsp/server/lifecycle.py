"""The life cycle of the protocol: which messages a server takes before `initialize` and after `shutdown`.

pygls gives every message to its handler; each is judged here first.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from lsprotocol import types

from gcn_lsp.server import wire

_VERSION = "2.0"


class Phase(Enum):
    """What the client has asked for so far: nothing, `initialize`, or `shutdown`."""

    NEW = auto()
    RUNNING = auto()
    ENDING = auto()


class Ignored(Exception):
    """A notification that the protocol lets a server drop."""


class Refused(Exception):
    """A message that is answered with an error. request: its id, None if it has none."""

    def __init__(self, request: "int | str | None", code: types.ErrorCodes, message: str) -> None:
        super().__init__(message)
        self.answer = wire.ErrorResponse(_VERSION, request, wire.Failure(code.value, message))


def admitted(message: object, phase: Phase) -> dict[str, Any]:
    """A message as it is to be handled. Raises `Ignored` and `Refused`."""
    if not isinstance(message, dict):
        raise Refused(None, types.ErrorCodes.InvalidRequest, "A message is an object.")
    request = request_of(message)
    if message.get("jsonrpc") != _VERSION:
        raise Refused(request, types.ErrorCodes.InvalidRequest, "'jsonrpc' must be '2.0'.")
    method = message.get("method")
    if "method" in message and not isinstance(method, str):
        raise Refused(request, types.ErrorCodes.InvalidRequest, "'method' must be a string.")
    if method is not None and "id" in message and request is None:
        raise Refused(None, types.ErrorCodes.InvalidRequest, "'id' must be a number or a string.")
    if method == types.EXIT or (phase is Phase.RUNNING and method != types.INITIALIZE):
        return message
    if request is None or method is None:
        raise Ignored
    if phase is Phase.ENDING:
        raise Refused(request, types.ErrorCodes.InvalidRequest, "The server has been shut down.")
    if phase is Phase.RUNNING:
        raise Refused(request, types.ErrorCodes.InvalidRequest, "The server is initialized already.")
    if method != types.INITIALIZE:
        raise Refused(request, types.ErrorCodes.ServerNotInitialized, "The server is not initialized yet.")
    return {**message, "params": _with_capabilities(message.get("params"))}


def request_of(message: object) -> "int | str | None":
    """The id of a request; None of anything else."""
    found = message.get("id") if isinstance(message, dict) and "method" in message else None
    return found if isinstance(found, str) or type(found) is int else None


def _with_capabilities(params: object) -> dict[str, Any]:
    """The parameters of `initialize` with the capabilities that a client has to send, and some do not."""
    given = params if isinstance(params, Mapping) else {}
    return {**given, "capabilities": given.get("capabilities") or {}}
