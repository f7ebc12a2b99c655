"""Writes GCN.tmLanguage, the colours for Sublime Text, from those of VS Code: `python editors/sublime/make.py`."""

import json
import plistlib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE = HERE.parent / "vscode" / "syntaxes" / "gcn.tmLanguage.json"
FILE = HERE / "GCN.tmLanguage"

GENERATIONS = ("", 1, 2, 3, 4)
FILE_TYPES = ["gcn", "amdgcn", "isa", *(f"{family}{number}" for family in ("rdna", "cdna") for number in GENERATIONS)]
FIRST_LINE = r"^\s*(\.amdgcn_target|\.hsa_code_object_|\.amdgpu_|(;|//).*\bgfx[0-9]{1,2}[0-9a-f]{2}\b)"


def made() -> bytes:
    """The property list."""
    grammar: dict[str, Any] = json.loads(SOURCE.read_text())
    comment = {"comment": f"Made from {SOURCE.name} by make.py."}
    return plistlib.dumps({**grammar, **comment, "fileTypes": FILE_TYPES, "firstLineMatch": FIRST_LINE})


if __name__ == "__main__":
    FILE.write_bytes(made())
