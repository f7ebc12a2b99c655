"""What a keystroke and a hover cost, by rule, without a pipe: `python -m tests.benchmarks.in_process [FILE...]`.

The server's own functions run one after the other, and the processor time of the thread counts, which other processes
disturb less than the clock. For a comparison of two versions take the least time of each key over several runs
(`--times` prints them as JSON).
"""

import argparse
import gc
import json
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from lsprotocol import types

from gcn_lsp.findings import run
from gcn_lsp.findings.model import Finding
from gcn_lsp.findings.rule import Rule, Stage
from gcn_lsp.flow.steps import finish
from gcn_lsp.ide import preload
from gcn_lsp.server import diagnostics, hover, wire
from gcn_lsp.server.client import Client
from gcn_lsp.server.documents import Documents
from tests.benchmarks import protocol
from tests.benchmarks.client import CAPABILITIES
from tests.benchmarks.kernel import kernel

Place = tuple[int, int]
Key = tuple[Place, Place, str]  # the replaced range, and the text

URI = "file:///benchmark/kernel.s"
KEYS, HOVERS, ROWS = 200, 300, 30
_clock = time.thread_time


class Session:
    """One open document."""

    def __init__(self, text: str) -> None:
        capabilities = types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8]),
            text_document=types.TextDocumentClientCapabilities(
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                    related_information=CAPABILITIES["textDocument"]["publishDiagnostics"]["relatedInformation"]
                )
            ),
        )
        self._documents = Documents(Client.of(capabilities))
        self.document = self._documents.open(types.TextDocumentItem(URI, "gcn", 1, text))
        self._version = 1

    def check(self, stage: Stage) -> bytes:
        """The message with the diagnostics up to a stage, as `server.checks` makes it."""
        snapshot = self.document.snapshot
        lines = snapshot.source.lines
        found = diagnostics.diagnose(snapshot, stage)[URI]
        old_lines, published = self.document.published
        found = diagnostics.with_carried(found, stage, URI, published, old_lines, lines)
        self.document.published = lines, found
        return msgspec.json.encode(wire.PublishDiagnostics(URI, found, snapshot.version))

    def press(self, key: Key) -> None:
        """Edit, and check as an editor does at each key: first what is published at once, then the paths."""
        self.begin(key)
        self.check(diagnostics.AT_EACH_KEY)

    def begin(self, key: Key) -> None:
        """Edit, and find what an editor shows first."""
        (start, end, text), self._version = key, self._version + 1
        place = types.Range(types.Position(*start), types.Position(*end))
        self._documents.edit(URI, self._version, [types.TextDocumentContentChangePartial(place, text)])
        self.check(diagnostics.FIRST)

    def hover(self, line: int, column: int) -> None:
        """Answer a hover."""
        place = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(line, column))
        msgspec.json.encode(hover.hover(self.document.snapshot, place))


def keys(text: str, count: int) -> Iterator[Key]:
    """Keys at random places, each deleted again at once; the same for the same text."""
    dice = random.Random(1)
    lines = text.split("\n")
    while count > 0:
        line = dice.randrange(len(lines))
        first = place = (line, dice.randint(0, len(lines[line])))
        for key in dice.choice(protocol.TYPED):
            yield place, place, key
            place = (place[0] + 1, 0) if key == "\n" else (place[0], place[1] + 1)
            count -= 1
        yield first, place, ""
        count -= 1


def timed(work: Callable[[], Any]) -> float:
    """The seconds that the thread works."""
    started = _clock()
    work()
    return _clock() - started


def by_rule(costs: "Counter[str]") -> Callable[[], None]:
    """Count the seconds of each rule's check in `costs`, until the result is called."""
    original = run._found_by

    def counted(rule: Rule, *rest: Any) -> list[Finding]:
        started = _clock()
        found = list(original(rule, *rest))
        costs[rule.name] += _clock() - started  # type: ignore[assignment]
        return found

    def restore() -> None:
        run._found_by = original

    run._found_by = counted  # type: ignore[assignment]
    return restore


def measured(text: str) -> tuple[dict[str, list[float]], "Counter[str]"]:
    """The seconds of opening, of keys (`first`: until the first findings) and of hovers, and those of the rules."""
    gc.collect()
    gc.disable()
    session = Session(text)
    opened = [timed(lambda stage=stage: session.check(stage)) for stage in (diagnostics.FIRST, Stage.HINTS)]  # type: ignore[misc]
    costs: Counter[str] = Counter()
    restore = by_rule(costs)
    first, pressed = [], []
    for key in keys(text, KEYS):
        first.append(timed(lambda key=key: session.begin(key)))  # type: ignore[misc]
        pressed.append(first[-1] + timed(lambda: session.check(diagnostics.AT_EACH_KEY)))
    restore()
    finish(preload.preload(session.document.snapshot.program.target))
    dice = random.Random(2)
    lines = text.split("\n")
    written = [line for line in range(len(lines)) if lines[line].strip()]
    places = [(line, min(4, len(lines[line]))) for line in (dice.choice(written) for _ in range(HOVERS))]
    hovers = [timed(lambda place=place: session.hover(*place)) for place in places]  # type: ignore[misc]
    gc.enable()
    return {"open": opened, "first": first, "keys": pressed, "hovers": hovers}, costs


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each file, and print the times and the most expensive rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--times", action="store_true", help="print all times as JSON")
    options = parser.parse_args(arguments)
    texts = {path.name: path.read_text(errors="replace") for path in options.files}
    for name, text in (texts or {f"made kernel of {protocol.LINES} lines": kernel(protocol.LINES)}).items():
        times, costs = measured(text)
        if options.times:
            print(json.dumps(times))
            continue
        print(f"{name}: open {' + '.join(f'{seconds * 1000:.0f}' for seconds in times['open'])} ms")
        for what, named in (("first", "keys, until the first findings"), ("keys", "keys"), ("hovers", "hovers")):
            found = sorted(times[what])
            middle, most = statistics.median(found) * 1000, found[len(found) * 95 // 100] * 1000
            print(f"{len(found)} {named}: median {middle:.2f} ms, p95 {most:.2f} ms")
        for rule, seconds in costs.most_common(ROWS):
            print(f"{seconds * 1e6 / len(times['keys']):8.0f} us a key: {rule}")


if __name__ == "__main__":
    main()
