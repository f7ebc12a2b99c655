"""Writes GCN.tmLanguage, the colours for Sublime Text, from those of VS Code: `python -m editors.sublime.make`."""

import json
import plistlib
from pathlib import Path
from typing import Any

from editors import recognition
from gcn_lsp.project import file_signs

HERE = Path(__file__).parent
SOURCE = HERE.parent / "vscode" / "syntaxes" / "gcn.tmLanguage.json"
FILE = HERE / "GCN.tmLanguage"

FILE_TYPES = [*file_signs.SURE_ENDINGS]


def made() -> bytes:
    """The property list."""
    grammar: dict[str, Any] = json.loads(SOURCE.read_text())
    comment = {"comment": f"Made from {SOURCE.name} by make.py."}
    return plistlib.dumps({**grammar, **comment, "fileTypes": FILE_TYPES, "firstLineMatch": recognition.FIRST_LINE})


if __name__ == "__main__":
    FILE.write_bytes(made())
