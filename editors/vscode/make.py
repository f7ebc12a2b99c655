"""Fills the names of targets and rules into the settings of package.json: `python -m editors.vscode.make`."""

import json
from pathlib import Path

from gcn_lsp import isa
from gcn_lsp.isa.target import other_names
from gcn_lsp.project import schema
from gcn_lsp.rules import RULES

FILE = Path(__file__).parent / "package.json"


def made() -> str:
    """The file as it should be."""
    package = json.loads(FILE.read_text())
    groups = package["contributes"]["configuration"]
    settings = {name: about for group in groups for name, about in group["properties"].items()}
    named = schema.named_values()
    settings["gcn-lsp.target"] |= {
        "enum": ["", *named["target"]["enum"]],
        "enumDescriptions": ["Each file names its own", *map(_other_names, named["target"]["enum"])],
    }
    for name in ("targets", "severity"):
        settings[f"gcn-lsp.{name}"] |= named[name]
    for name in ("select", "ignore"):
        summaries = [rule.summary for rule in RULES.values()]
        settings[f"gcn-lsp.{name}"] |= named[name]
        settings[f"gcn-lsp.{name}"]["items"] = {**named[name]["items"], "enumDescriptions": summaries}
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def _other_names(name: str) -> str:
    """The other names of a target; of one of these, the target."""
    resolved = isa.resolve_target(name)
    return ", ".join(other_names(name)) if resolved == name else f"another name of {resolved}"


if __name__ == "__main__":
    FILE.write_text(made())
