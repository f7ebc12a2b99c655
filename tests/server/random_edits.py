"""Edits files at random through a session and compares every answer with that of a session that opens the result.

`python -m tests.server.random_edits --edits 20000 --seed 1` edits the tests' own kernels, compiled ones where there is
a compiler, and those of the corpus where it is beside the repository. It prints each difference, and exits with 1 when
there is one. `--keep FOLDER` keeps the text and the edits that lead to each.
"""

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

import msgspec

from tests.analysis import compiled
from tests.benchmarks.client import CAPABILITIES, Client
from tests.server.test_incremental import CONSTRUCTS

DATA = Path(__file__).parents[1] / "data"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
COMPILED = 8  # kernels of the compiler
SCREEN = 30  # lines above and below a place for which inlay hints are requested
STYLE = {"tabSize": 4, "insertSpaces": True}
RESOLVING = {
    "codeLens": {"resolveSupport": {"properties": ["command"]}},
    "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
    "documentLink": {"tooltipSupport": True},
}
SHOWN = {"inlineCompletion": True, "inlayHints": {"registers": True, "inFlight": True, "inputs": True}}
AT_PLACES = (
    *("textDocument/hover", "textDocument/completion", "completionItem/resolve", "textDocument/signatureHelp"),
    *("textDocument/definition", "textDocument/references", "textDocument/documentHighlight"),
    *("textDocument/prepareRename", "textDocument/rename", "textDocument/selectionRange", "textDocument/codeAction"),
    *("textDocument/declaration", "textDocument/implementation", "textDocument/linkedEditingRange"),
    *("textDocument/inlineCompletion", "textDocument/rangesFormatting"),
    *("textDocument/rangeFormatting", "textDocument/onTypeFormatting", "textDocument/semanticTokens/range"),
    *("textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"),
    *("gcn-lsp/controlFlow", "gcn-lsp/expand", "gcn-lsp/explain"),
)
OF_DOCUMENT = (
    "textDocument/diagnostic",
    *("textDocument/foldingRange", "textDocument/documentSymbol", "textDocument/semanticTokens/full"),
    *("textDocument/inlayHint", "textDocument/codeLens", "textDocument/formatting", "textDocument/documentLink"),
    *("inlayHint/resolve", "codeLens/resolve", "documentLink/resolve"),
    *("workspace/symbol", "gcn-lsp/target", "gcn-lsp/reinsertWaits", "gcn-lsp/names"),
    *("gcn-lsp/encoded", "gcn-lsp/report", "gcn-lsp/sourceLines"),
)
DELTA = "textDocument/semanticTokens/full/delta"
NOT_ASKED = {
    "codeAction/resolve": "this client gets the edits of all actions at once",
    "gcn-lsp/targets": "the same for every document",
    "gcn-lsp/newKernel": "the same for every document",
    "gcn-lsp/writeTarget": "asks the client to change a file",
}
TYPED = (
    *("x", "3", "0", " ", ",", "v", "s", "[", "]", ":", ".", "\\", '"', "(", ")", "*", "/", ";", "#", "-", "|", "\n"),
    *("\r\n", "\r", "\0", "\t", "ä", "𝄞", "// c ", "/*", "*/", "vmcnt(0)", "v[0:3]", "s2", "off", " offset:4", "\\x"),
)
LINES = (
    *("s_nop 0", "s_waitcnt vmcnt(0)", "s_barrier", "s_endpgm", "v_mov_b32 v0, v1", "v_add_f32 v0, v[a], 1.0", "name:"),
    *("1:", "s_branch 1b", "s_cbranch_scc0 name", "; a comment", "/* a", "b */", ".set a, 3", "a = a + 1", ".text"),
    *(".macro again x=1", ".endm", "again 2", ".if a", ".elseif a == 2", ".else", ".endif", ".ifdef a", ".rept 3"),
    *(".irp x, 1, 2", ".endr", ".purgem again", ".exitm", '.include "nothing"', ".amdgpu_metadata", "  x: [1]", ".end"),
    *(".end_amdgpu_metadata", ".amdhsa_kernel name", ".amdhsa_next_free_vgpr 8", ".end_amdhsa_kernel", ".p2align 4"),
    *(".type name,@function", ".size name, .-name", ".long name", "; gcn-lsp: disable=unknown-mnemonic", ".altmacro"),
    *("; gcn-lsp: target=gfx1100", '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"', ".section .rodata", ".globl name"),
)
_LINE_END = re.compile("\r\n|\n|\r")


class Kernel(msgspec.Struct, frozen=True):
    """A file to edit, and the settings that it is assembled with."""

    uri: str
    text: str
    settings: Mapping[str, Any] = {}

    @property
    def name(self) -> str:
        """The file's name."""
        return self.uri.rpartition("/")[2]


class Change(msgspec.Struct, frozen=True):
    """`text` in place of what is between two places: lines and columns in characters, from 0."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str

    @property
    def after(self) -> tuple[int, int]:
        """Where the text ends that it puts in."""
        *before, last = _LINE_END.split(self.text)
        return (self.start[0] + len(before), len(last)) if before else (self.start[0], self.start[1] + len(last))


class Difference(msgspec.Struct, frozen=True):
    """Where an edited session and a fresh one differ, or where the edited one fails."""

    kernel: Kernel
    changes: tuple[Change, ...]
    what: str
    edited: Any
    fresh: Any

    def __str__(self) -> str:
        where, edited, fresh = _first_difference(self.edited, self.fresh)
        path = f"{self.kernel.name} after {len(self.changes)} edits: {self.what}{where}"
        return f"{path}\n  edited: {_short(edited)}\n  fresh:  {_short(fresh)}"


class Text:
    """The text of a document as an editor has it, each line without its end; and how to take back what was done."""

    def __init__(self, text: str) -> None:
        self.lines = _LINE_END.split(text)
        self._undone: list[Change] = []

    def whole(self) -> str:
        """The text with LF for each line end."""
        return "\n".join(self.lines)

    def apply(self, change: Change) -> None:
        """Carry the change out."""
        (first, start), (last, end) = change.start, change.end
        before, after = self.lines[first][:start], self.lines[last][end:]
        new = _LINE_END.split(before + change.text + after)
        old = self.between(change.start, change.end)
        self.lines[first : last + 1] = new
        self._undone.append(Change(change.start, (first + len(new) - 1, len(new[-1]) - len(after)), old))

    @property
    def undo(self) -> Change | None:
        """The change that would take the last one back."""
        return self._undone[-1] if self._undone else None

    def undoing(self) -> Change | None:
        """The change that takes the last one back, carried out."""
        change = self.undo
        if change is not None:
            self.apply(change)
            del self._undone[-2:]
        return change

    def between(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        """The text between two places."""
        if start[0] == end[0]:
            return self.lines[start[0]][start[1] : end[1]]
        middle = self.lines[start[0] + 1 : end[0]]
        return "\n".join((self.lines[start[0]][start[1] :], *middle, self.lines[end[0]][: end[1]]))


class Session:
    """A server process with one document open in it, and everything that it says about that."""

    def __init__(self, kernel: Kernel, encoding: str, text: str, version: int, language: str = "gcn") -> None:
        self.uri = kernel.uri
        self.encoding = encoding
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._client = _Client(self._log)
        capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
        capabilities["textDocument"] = {**CAPABILITIES["textDocument"], **RESOLVING}
        self._client.initialize(capabilities=capabilities, initializationOptions={**SHOWN, **kernel.settings})
        self._tokens: tuple[str, list[int]] | None = None
        self._client.open(self.uri, text, language)

    def edit(self, text: Text, change: Change, version: int) -> None:
        """Send a change of `text`, which was not carried out yet."""
        places = {"start": self._position(text, change.start), "end": self._position(text, change.end)}
        document = {"uri": self.uri, "version": version}
        changes = [{"range": places, "text": change.text}]
        self._client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def wait(self, version: int) -> None:
        """Wait for the diagnostics of a version."""
        self._client.wait_for_published(self.uri, version)

    def published(self) -> Any:
        """The diagnostics that were published last, once there were none for a while."""
        return self._client.last_published(self.uri)

    def ask(self, method: str, text: Text, place: tuple[int, int]) -> Any:
        """The answer to a request about the document, or about a place in it; of a refusal its reason."""
        params = self._params(method, text, place)
        if params is None:
            return None
        try:
            return _comparable(self._client.request(method, params)[1])
        except RuntimeError as refused:
            return str(refused)

    def _params(self, method: str, text: Text, place: tuple[int, int]) -> dict[str, Any] | None:
        """The parameters of a request; None for one about the answer to another that is empty."""
        position = self._position(text, place)
        line = position["line"]
        first, last = max(0, line - SCREEN), line + SCREEN
        screen = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        document = {"textDocument": {"uri": self.uri}}
        match method.rpartition("/")[2]:
            case "references":
                return {**document, "position": position, "context": {"includeDeclaration": True}}
            case "rename":
                return {**document, "position": position, "newName": "another_name"}
            case "selectionRange":
                return {**document, "positions": [position]}
            case "codeAction":
                lines = {"start": {**position, "character": 0}, "end": position}
                return {**document, "range": lines, "context": {"diagnostics": self._reported(line)}}
            case "inlayHint" | "range":
                return {**document, "range": screen}
            case "formatting":
                return {**document, "options": STYLE}
            case "rangeFormatting":
                return {**document, "range": screen, "options": STYLE}
            case "onTypeFormatting":
                return {**document, "position": position, "ch": "\n", "options": STYLE}
            case "inlineCompletion":
                return {**document, "position": position, "context": {"triggerKind": 1}}
            case "rangesFormatting":
                return {**document, "ranges": [screen], "options": STYLE}
            case "resolve" if method != "completionItem/resolve":
                items = self.ask(f"textDocument/{method.partition('/')[0]}", text, place)
                return items[0] if items else None
            case "resolve":
                found = self.ask("textDocument/completion", text, place)
                return found["items"][0] if found and found["items"] else None
            case "incomingCalls" | "outgoingCalls":
                items = self.ask("textDocument/prepareCallHierarchy", text, place)
                return {"item": items[0]} if items else None
            case "symbol":
                return {"query": "a"}
            case "controlFlow":
                return {"uri": self.uri, "line": line}
            case "expand":
                return {"uri": self.uri, "range": screen}
            case "explain":
                return {"uri": self.uri, "name": (text.lines[place[0]].split() or ["s_nop"])[0]}
            case _ if method.startswith("gcn-lsp/"):
                return {"uri": self.uri}
            case _:
                return {**document, "position": position}

    def tokens(self, text: Text) -> list[int]:
        """The semantic tokens: what a delta makes of those before, from the second time on."""
        params: dict[str, Any] = {"textDocument": {"uri": self.uri}}
        if self._tokens is None:
            found = self._client.request("textDocument/semanticTokens/full", params)[1]
            self._tokens = found["resultId"], found["data"]
            return self._tokens[1]
        params["previousResultId"] = self._tokens[0]
        found = self._client.request(DELTA, params)[1]
        data = list(found.get("data", self._tokens[1]))
        for edit in sorted(found.get("edits", ()), key=lambda edit: -edit["start"]):
            data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data") or []
        self._tokens = found["resultId"], data
        return data

    def failures(self) -> str:
        """What the server logged: nothing, unless something failed."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def close(self) -> None:
        """End the server."""
        self._client.close()
        self._log.close()

    def _reported(self, line: int) -> list[Any]:
        params = {"textDocument": {"uri": self.uri}}
        found = self._client.request("textDocument/diagnostic", params)[1]["items"]
        return [each for each in found if each["range"]["start"]["line"] <= line <= each["range"]["end"]["line"]]

    def _position(self, text: Text, place: tuple[int, int]) -> dict[str, int]:
        before = text.lines[place[0]][: place[1]]
        size = len(before.encode()) if self.encoding == "utf-8" else len(before.encode("utf-16-le")) // 2
        return {"line": place[0], "character": size}


class _Client(Client):
    """A client that keeps what was published while it waited for something else."""

    def __init__(self, log: Any) -> None:
        super().__init__(log)
        self._last: dict[str, tuple[int, Any]] = {}

    def wait_for_published(self, uri: str, version: int) -> None:
        while self._last.get(uri, (-1, None))[0] < version:
            self._next()

    def last_published(self, uri: str) -> Any:
        """The last diagnostics once nothing came for longer than the server waits before it looks for hints."""
        while True:
            try:
                message = self._arrived.get(timeout=0.8)[1]
            except Empty:
                return self._last[uri][1]
            self._keep(message)

    def _next(self) -> tuple[float, dict[str, Any]]:
        arrived, message = super()._next()
        self._keep(message)
        return arrived, message

    def _keep(self, message: Mapping[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            found = message["params"]
            self._last[found["uri"]] = found.get("version") or 0, found["diagnostics"]


def kernels(own_only: bool = False) -> list[Kernel]:
    """The files to edit."""
    found = [Kernel(path.as_uri(), path.read_text()) for path in sorted(DATA.glob("*.s"))]
    found.append(Kernel("file:///tests/constructs.s", CONSTRUCTS))
    if own_only:
        return found
    for build in compiled.sample(COMPILED):
        found.append(Kernel(f"file:///tests/{build.kernel}.{build.target}.s", compiled.text(build)))
    manifest = CORPUS / "MANIFEST.tsv"
    rows = manifest.read_text().splitlines()[1:] if manifest.exists() else []
    for name, target, _, defines, *_ in (row.split("\t") for row in rows):
        path = CORPUS / name
        settings = {"target": target, "defines": json.loads(defines)}
        found.append(Kernel(path.as_uri(), path.read_text(errors="replace"), settings))
    # Some again in a folder and with settings that name no target.
    unnamed = [kernel for kernel in found if "target" in kernel.settings][::3]
    for kernel in unnamed:
        settings = {name: value for name, value in kernel.settings.items() if name != "target"}
        found.append(Kernel(f"file:///tests/unnamed/{kernel.name}", kernel.text, settings))
    return found


def run(
    kernel: Kernel, edits: int, every: int, chooser: random.Random, asked: Counter[str] | None = None
) -> Iterator[Difference]:
    """Edit a kernel `edits` times, and compare with a fresh session after `every` so many; stops at a difference."""
    asked = Counter() if asked is None else asked
    encoding = chooser.choice(("utf-8", "utf-16"))
    text = Text(kernel.text)
    session = Session(kernel, encoding, text.whole(), 1)
    changes: list[Change] = []
    try:
        for version in range(2, edits + 2):
            change = _edit(chooser, text, session, version)
            changes.append(change)
            asked["edit"] += 1
            if chooser.random() < 0.7:
                session.wait(version)
            if chooser.random() < 0.3:
                name = chooser.choice((*AT_PLACES, *OF_DOCUMENT))
                session.ask(name, text, _place(chooser, text))
                asked[name] += 1
            if (version - 1) % every == 0 or version == edits + 1:
                session.wait(version)
                found = list(_compared(kernel, tuple(changes), chooser, session, text, version, asked))
                yield from found
                if found:
                    return
    except (Empty, RuntimeError, OSError) as error:
        yield Difference(kernel, tuple(changes), f"no answer ({error!r})", session.failures(), "")
    finally:
        session._client.process.kill()


def _compared(
    kernel: Kernel,
    changes: tuple[Change, ...],
    chooser: random.Random,
    session: Session,
    text: Text,
    version: int,
    asked: Counter[str],
) -> Iterator[Difference]:
    fresh = Session(kernel, session.encoding, text.whole(), version)
    if changes:  # what is being typed is not judged, so the fresh one types at the same place
        fresh.edit(text, Change(changes[-1].after, changes[-1].after, ""), version)
    places = [_place(chooser, text) for _ in range(6)]
    for name in OF_DOCUMENT:  # the first settles which target a file is for that names none
        yield from _difference(kernel, changes, name, session, fresh, text, places[0])
        asked[name] += 2
    for place in places:
        for name in AT_PLACES:
            yield from _difference(kernel, changes, name, session, fresh, text, place)
            asked[name] += 2
    for what, edited, new in (
        (DELTA, session.tokens(text), fresh.tokens(text)),
        ("publishDiagnostics", session.published(), fresh.published()),
        ("the log", session.failures(), fresh.failures()),
    ):
        asked[what] += 2
        if edited != new or (what == "the log" and edited):
            yield Difference(kernel, changes, what, edited, new)
    fresh.close()


def _difference(
    kernel: Kernel, changes: tuple[Change, ...], name: str, session: Session, fresh: Session, text: Text, place: Any
) -> Iterator[Difference]:
    edited, new = session.ask(name, text, place), fresh.ask(name, text, place)
    if edited != new:
        what = f"{name} at {place[0] + 1}:{place[1] + 1}" if name in AT_PLACES else name
        yield Difference(kernel, changes, what, edited, new)


def _edit(chooser: random.Random, text: Text, session: Session, version: int) -> Change:
    """Make some change, and send it to the server."""
    if chooser.random() < 0.25:
        before = Text("")
        before.lines = list(text.lines)
        change = text.undoing()
        if change is not None:
            session.edit(before, change, version)
            return change
    change = some_change(chooser, text)
    session.edit(text, change, version)
    text.apply(change)
    return change


def some_change(chooser: random.Random, text: Text) -> Change:
    line, column = place = _place(chooser, text)
    length = len(text.lines[line])
    last = min(line + chooser.choice((0, 1, 2, 8)), len(text.lines) - 1)
    match chooser.randrange(9):
        case 0 | 1 | 2:  # a character or a word
            return Change(place, place, chooser.choice(TYPED))
        case 3:  # some characters go
            return Change(place, (line, min(length, column + chooser.choice((1, 1, 2, 6)))), "")
        case 4:  # some characters become others
            return Change(place, (line, min(length, column + 1)), chooser.choice(TYPED))
        case 5:  # a line comes
            return Change((line, 0), (line, 0), chooser.choice(LINES) + "\n")
        case 6:  # some lines go
            return Change((line, 0), (last, 0), "")
        case 7:  # lines are pasted that are written elsewhere
            other = chooser.randrange(len(text.lines))
            return Change(
                (line, 0), (line, 0), "\n".join(text.lines[other : other + chooser.choice((1, 3, 20))]) + "\n"
            )
        case _:  # anything in the place of anything
            end = chooser.randrange(len(text.lines[last]) + 1)
            return Change(place, (last, max(end, column if last == line else 0)), chooser.choice((*TYPED, *LINES)))


def _place(chooser: random.Random, text: Text) -> tuple[int, int]:
    """Some place, rather on a directive or a label than their number suggests."""
    line = chooser.randrange(len(text.lines))
    if chooser.random() < 0.4:
        around = range(line, min(line + 200, len(text.lines)))
        line = next((each for each in around if text.lines[each].lstrip()[:1] in (".", "\\", "/", ";")), line)
    return line, chooser.randrange(len(text.lines[line]) + 1)


def _comparable(answer: Any) -> Any:
    """The answer without the number that a session gives to it, and with entries as an editor shows them."""
    if isinstance(answer, list):
        return [_comparable(each) for each in answer]
    if not isinstance(answer, dict):
        return answer
    found = {key: value for key, value in answer.items() if key != "resultId"}
    if isinstance(found.get("data"), list):  # of an item: its document and version, and what it is
        found["data"] = found["data"][2:]
    if "itemDefaults" in found or "isIncomplete" in found:
        found["items"] = sorted(found["items"], key=lambda item: (item.get("sortText", item["label"]), item["label"]))
    return found


def _first_difference(edited: Any, fresh: Any) -> tuple[str, Any, Any]:
    """The path to where two answers first differ, and what is there."""
    if isinstance(edited, dict) and isinstance(fresh, dict) and edited.keys() == fresh.keys():
        for key in edited:
            if edited[key] != fresh[key]:
                where, left, right = _first_difference(edited[key], fresh[key])
                return f".{key}{where}", left, right
    if isinstance(edited, list) and isinstance(fresh, list):
        for index, pair in enumerate(zip(edited, fresh, strict=False)):
            if pair[0] != pair[1]:
                where, left, right = _first_difference(*pair)
                return f"[{index}]{where}", left, right
        shorter = min(len(edited), len(fresh))
        return f"[{shorter}:]", edited[shorter:][:3], fresh[shorter:][:3]
    return "", edited, fresh


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) < 700 else f"{text[:700]}..."


def main(arguments: Sequence[str]) -> int:
    """Edit all kernels in turn until there were so many edits."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--edits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=50, help="edits between two comparisons")
    parser.add_argument("--episode", type=int, default=500, help="edits of one kernel before the next one")
    parser.add_argument("--keep", type=Path, help="a folder for what differs")
    options = parser.parse_args(arguments)
    chooser = random.Random(options.seed)
    asked: Counter[str] = Counter()
    files = kernels()
    chooser.shuffle(files)
    differing = 0
    started = time.monotonic()
    while asked["edit"] < options.edits:
        kernel = files[0]
        files.append(files.pop(0))
        count = min(options.episode, options.edits - asked["edit"])
        for found in run(kernel, count, options.every, chooser, asked):
            differing += 1
            print(found, flush=True)
            if options.keep is not None:
                options.keep.mkdir(exist_ok=True)
                (options.keep / f"{options.seed}-{differing}.json").write_bytes(msgspec.json.encode(found))
        minutes = (time.monotonic() - started) / 60
        print(f"{asked['edit']} edits, {differing} differences, {minutes:.1f} minutes", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sorted(asked.items())))
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
