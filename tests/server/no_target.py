"""Opens files without any setting through a session, and says what a new user gets of each.

`python -m tests.server.no_target FOLDER... [--every 16]` opens each `.s` file in the folders, or every so many of them,
as an editor does that names no target, and asks for the target, the lenses, what is in flight, the waits, the control
flow and the report. It prints each file with published errors or code for which one of these has no answer, and totals.
It exits with 1 if an answer is missing.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.client import Client

FILES_OF_A_SESSION = 25  # so that no server grows without limit
SETTINGS = {"inlay-hints": {"in-flight": True}}
ERROR = 1
CAPABILITIES = {
    "textDocument": {"publishDiagnostics": {"relatedInformation": True}},
    "experimental": {"commands": {"commands": ["gcn-lsp.showReport", "gcn-lsp.goToLine", "gcn-lsp.showControlFlow"]}},
}


def main(arguments: Sequence[str]) -> int:
    """Open the files and print what they lack."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="open every so many of a folder's files")
    options = parser.parse_args(arguments)
    paths = [path for folder in options.folders for path in sorted(folder.rglob("*.s"))[:: options.every]]
    totals: Counter[str] = Counter()
    for first in range(0, len(paths), FILES_OF_A_SESSION):
        client = Client()
        client.initialize(capabilities=CAPABILITIES, initializationOptions=SETTINGS)
        for path in paths[first : first + FILES_OF_A_SESSION]:
            found = answers(client, path)
            totals.update(name for name, count in found.items() if count)
            totals["files"] += 1
            totals["published errors"] += found["errors"]
            missing = [name for name in WANTED if not found[name]] if found["code"] else []
            totals["without something"] += bool(missing)
            if missing or found["errors"]:
                print(f"{path}: {found['errors']} errors; lacks: {', '.join(missing) or 'nothing'}", flush=True)
        client.close()
    for name, count in sorted(totals.items()):
        print(f"{count:7} {name}")
    return int(totals["without something"] > 0)


WANTED = ("target", "lenses", "waits", "blocks", "report")


def answers(client: Client, path: Path) -> Counter[str]:
    """How much of everything a file gets; `code`: whether an assembler finds instructions in it."""
    uri, text = path.absolute().as_uri(), path.read_text(errors="replace")
    client.open(uri, text)
    document = {"textDocument": {"uri": uri}}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}

    def ask(method: str, more: Any) -> Any:
        return client.request(method, more)[1]

    target = ask("gcn-lsp/target", {"uri": uri})
    published = ask("textDocument/diagnostic", document)["items"]
    hints = ask("textDocument/inlayHint", {**document, "range": whole})
    lenses = ask("textDocument/codeLens", document)
    waits = ask("gcn-lsp/reinsertWaits", {"uri": uri})
    flow = ask("gcn-lsp/controlFlow", {"uri": uri, "line": 0})
    report = ask("gcn-lsp/report", {"uri": uri})
    encoded = ask("gcn-lsp/encoded", {"uri": uri})
    client.notify("textDocument/didClose", document)
    return Counter(
        {
            "target": len(target["target"]),
            "lenses": len(lenses or ()),
            "in flight": len(hints or ()),
            "waits": waits["waits"] + sum(block["waits"] for block in flow["blocks"]) if flow else 0,
            "blocks": len(flow["blocks"]) if flow else 0,
            "report": len(report["html"]) if report else 0,
            "code": len((encoded or {}).get("text") or ""),
            "errors": sum(each["severity"] == ERROR for each in published),
        }
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
