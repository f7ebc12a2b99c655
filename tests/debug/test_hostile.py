"""Requests at the wrong time and of the wrong shape: each gets an answer, and the session goes on."""

from pathlib import Path
from typing import Any

import pytest

from gcn_lsp.debug.adapter import Adapter
from gcn_lsp.debug.inspection import LaunchedRun
from tests.debug.client import Client
from tests.debug.test_adapter import LAUNCH, SAXPY

COMMANDS = sorted(
    name.removeprefix("on_") for kind in (Adapter, LaunchedRun) for name in dir(kind) if name.startswith("on_")
)
ENDING = ("disconnect", "terminate")
WRONG: "tuple[dict[str, Any], ...]" = (
    {},
    {"threadId": "one", "frameId": "one", "variablesReference": "one", "source": [], "breakpoints": 7, "count": "x"},
    {"threadId": 10**9, "frameId": 10**9, "variablesReference": 10**9, "memoryReference": "lds:9,9,9", "count": -1},
    {"breakpoints": [{}, {"line": -5}, {"dataId": "memory:nowhere:x"}, {"instructionReference": None}], "program": 5},
    {"memoryReference": "0x0", "offset": -(10**20), "count": 8, "instructionCount": 3, "expression": "v[" * 500},
    {"memoryReference": {}, "data": "%%%", "name": "[" * 1000, "value": "1e999", "expression": "9 ** 9 ** 9"},
)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ENDING])
def test_every_request_is_answered(command: str, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(SAXPY)
    with Client() as client:
        client.request(command, known=False)
        client.launch(path, **LAUNCH)
        for arguments in WRONG:
            client.request(command, known=False, **arguments)
        assert client.body("threads")["threads"] is not None
        client.body("disconnect")
