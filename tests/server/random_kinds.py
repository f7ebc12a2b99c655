"""Edits documents of every kind at random within this process, and compares with what a fresh document says.

`python -m tests.server.random_kinds --edits 20000 --seed 1` prints each failure and difference, and exits with 1 when
there is one, or if the memory grows. Between the edits come requests, other settings and other names, and requests of
which some are cancelled while edits go on; some documents include one another. The answers to requests are compared as
findings are. `random_edits` does so over the protocol for files of assembly; without it an edit costs a tenth.
"""

import argparse
import gc
import json
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
from lsprotocol import types

from gcn_lsp.flow.steps import finish
from gcn_lsp.project import Settings
from gcn_lsp.project.settings import InlayHints
from gcn_lsp.server import app, diagnostics, paths
from gcn_lsp.server.adapters import adapter
from gcn_lsp.server.client import Client
from gcn_lsp.server.derived_uris import Asked
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.object_text import object_text
from gcn_lsp.server.renamed_files import renamed_files
from gcn_lsp.server.worker import Urgency, Worker
from tests.server.random_edits import Change, Text, _first_difference, _place, _short, some_change
from tests.server.test_incremental import CONSTRUCTS
from tests.support.elf import bundle, code_object

TARGET = '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n'
_CODE = bytes.fromhex("020002c0000000000002007e000081bf")  # s_load_dword s0; v_mov_b32 v0, s0; s_endpgm
_OF_ALL = ("document_symbol", "semantic_tokens", "code_lens", "folding_range", "document_link")
_NOT_ASKED = frozenset(("targets", "new_kernel", "semantic_tokens.semantic_tokens_delta", "diagnostic"))
REQUESTS = (
    *(name for _, name, _ in app.REQUESTS if name not in _NOT_ASKED and not name.endswith(".resolve")),
    "content",
)
"""All that have one answer for one text, and need no answer before."""

_SETTINGS = (
    Settings(),
    Settings(target="gfx90a"),
    Settings(target="gfx1100"),
    Settings(targets=("gfx90a", "gfx942")),
    Settings(defines={"a": 3}, macros={"FIRST": "v0"}),
    Settings(ignore=("missing-wait",), llvm=22),
    Settings(inlay_hints=InlayHints(registers=True, in_flight=True, inputs=True), inline_completion=True),
)
_PROJECTS = ("", 'target = "gfx942"\n', "defines = { a = 2 }\n", 'ignore = ["unused-symbol"]\ntarget = 3\n', "= broken")


_UNDONE = 0.48  # of the edits: the rest would soon leave nothing to read in a document
_TIMEOUT = 60.0  # seconds of an answer


class Kind(NamedTuple):
    """A kind of document: the end of its name, its language, its text. data: of the code object that it stands for.

    others: the names and texts of further documents, which it includes and which include each other.
    """

    name: str
    language: str
    text: str
    data: bytes = b""
    others: tuple[tuple[str, str], ...] = ()


def kinds() -> list[Kind]:
    """A document of every kind."""
    one, other = (code_object(_CODE, [("k", 0, 16, 1)], flags=flags) for flags in (0x4C, 0x3F))
    return [
        Kind("k.s", "gcn", TARGET + CONSTRUCTS),
        Kind("unnamed.s", "gcn", CONSTRUCTS),
        Kind("k.S", "gcn", f"{TARGET}{_PREPROCESSED}"),
        Kind("fork.s", "gcn", f"{TARGET}{_FORK}", others=_FORKS),
        Kind("fork.S", "gcn", f'{TARGET}#include "low.inc"\n#include "high.inc"\n{_PREPROCESSED}', others=_FORKS[:3]),
        Kind("k.hip", "hip", _HIP),
        Kind("k.py", "python", _PYTHON),
        Kind("k.sp3", "sp3", _SP3),
        Kind("k.dump", "gcn", _LISTING),
        Kind("k.hsaco", "gcn", "", one),
        Kind("k.hipfb", "gcn", "", bundle(("gfx942", one), ("hip-amdgcn-amd-amdhsa--gfx90a:xnack+", other))),
    ]


_FORK = """\
.include "low.inc"
.include "high.inc"
start:
  MOVE size
  v_add_f32 v1, v[size], v2
.if size > 1
  s_branch inner
.endif
  s_endpgm
"""
_FORKS = (
    ("low.inc", ".ifndef size\n.set size, 2\n.endif\n.macro MOVE to\n  v_mov_b32 v[\\to], 0\n.endm\n"),
    ("high.inc", '.include "low.inc"\ninner:\n  global_load_dword v3, v[4:5], off\n  s_branch inner\n'),
    ("own.inc", '.include "own.inc"\n.include "high.inc"\n'),
    ("second.s", f'{TARGET}.include "low.inc"\nsecond:\n  MOVE 3\n  s_endpgm\n'),
)
_PREPROCESSED = """\
#define FIRST v1
#define LOAD(to, at) global_load_dword to, at, s[2:3]
#if defined(OTHER) && OTHER > 2
  s_nop 1
#else
  v_mov_b32 FIRST, v2
#endif
LOAD(v3, v4)
s_waitcnt vmcnt(0)
  v_add_f32 v3, FIRST, v3
#include "nothing.h"
s_endpgm
"""
_HIP = """\
#include <hip/hip_runtime.h>
__global__ void k(float *p) {
  float a, b = 2; int n = 3;
  asm volatile("v_add_f32 %0, %1, %2\\n\\ts_nop 0" : "=v"(a) : "v"(b), "v"(p[0]) : "memory");
  asm("v_mov_b32 %[x], %[y]\\n" : [x] "=&v"(b) : [y] "v"(n));

  asm("s_mov_b32 s4, %0" :: "s"(n) : "s4");
}
"""
_PYTHON = '''\
@triton.jit
def k(x):
    y = tl.inline_asm_elementwise(asm="""
        v_exp_f32 $0, $1

        v_add_f32 $0, $0, $1
        """, constraints="=v,v", args=[x], dtype=tl.float32, is_pure=True, pack=1)
    return y
'''
_SP3 = """\
var ADD = 3
function f(x, y)
  v_mov_b32 v0, x
  if ADD > y
    s_nop 0x0
  end
end
shader main
  type(CS)
  asic(GFX9)
  f(4, 2)
  s_endpgm
end
"""
_LISTING = """\
k.o:\tfile format elf64-amdgpu

Disassembly of section .text:

0000000000001000 <k>:
\ts_load_dword s0, s[4:5], 0x0    // 000000001000: C0020002 00000000
\tv_mov_b32_e32 v0, s0            // 000000001008: 7E000200
\ts_endpgm                        // 00000000100C: BF810000
"""


class Failure(NamedTuple):
    """What failed or differs: the kind, the number of edits before it, and what it is."""

    kind: str
    edits: int
    what: str


class Opened:
    """A document of the editor's: its text, its path, and what the server has of it."""

    def __init__(self, name: str, language: str, text: str, data: bytes, folder: Path) -> None:
        self.language = language
        self.data = data
        self.path = folder / name
        self.text = Text(text)
        self.version = 1
        self.document: Document

    def open(self, documents: Documents) -> Document:
        """Open the document, under its present name."""
        item = types.TextDocumentItem(self.path.as_uri(), self.language, self.version, self.text.whole())
        return documents.open(item)

    def range(self, start: tuple[int, int], end: tuple[int, int]) -> types.Range:
        """Two places in the client's units."""
        return types.Range(self.position(start), self.position(end))

    def position(self, place: tuple[int, int]) -> types.Position:
        """A place in the client's units."""
        return types.Position(place[0], _units(self.text, *place))


class Editing:
    """Documents under edits, with all that is around them."""

    def __init__(self, kind: Kind, folder: Path, chooser: random.Random) -> None:
        self.kind = kind
        self.chooser = chooser
        self.folder = folder
        client = Client(
            encoding="utf-16",
            diagnostic_tags=True,
            related_information=True,
            resolves_lenses=chooser.random() < 0.5,
            takes_snippet_edits=chooser.random() < 0.5,
        )
        self.documents = Documents(client)
        self.documents.settings = {"": Settings()}
        main = Opened(kind.name, kind.language, kind.text, kind.data, folder)
        if kind.data:
            main.path.write_bytes(kind.data)
            found = object_text(self.documents.files, str(main.path))
            main.text = Text(str(getattr(found, "text", "")))
        self.opened = [main, *(Opened(name, "gcn", text, b"", folder) for name, text in kind.others)]
        for each in self.opened:
            each.document = each.open(self.documents)

    def edit(self) -> None:
        """Make a change in one of the documents."""
        each = self.chooser.choice((self.opened[0], *self.opened))
        undo = each.text.undo if self.chooser.random() < _UNDONE else None
        self.change(each, undo or some_change(self.chooser, each.text))

    def change(self, each: Opened, change: Change) -> None:
        """Make a change; those that include the document hear of it later, as after a pause."""
        place = each.range(change.start, change.end)
        if change is each.text.undo:
            each.text.undoing()
        else:
            each.text.apply(change)
        each.version += 1
        changes = [types.TextDocumentContentChangePartial(place, change.text)]
        self.documents.edit(each.document.uri, each.version, changes)
        if self.chooser.random() < 0.5:
            self.pause()

    def pause(self) -> None:
        """What follows a pause: documents that include others are built again."""
        paths = {each.document.path for each in self.opened}
        self.documents.surround(
            list(dict.fromkeys(found for path in paths for found in self.documents.including(path)))
        )

    def configure(self) -> None:
        """Take other settings: the editor's, or a project's file."""
        if self.chooser.random() < 0.5:
            self.documents.settings = {"": self.chooser.choice(_SETTINGS)}
        else:
            (self.folder / "gcn-lsp.toml").write_text(self.chooser.choice(_PROJECTS))
        self.documents.surround(self.documents.all())

    def rename(self) -> None:
        """Give a document another name of its kind; what names it follows."""
        each = self.chooser.choice(self.opened)
        old, new = each.path, each.path.with_name(f"{self.chooser.choice('abc')}{each.path.name[-12:]}")
        if any(other.path == new for other in self.opened):
            return
        if not each.data:
            old.write_text(each.text.whole(), newline="", errors="replace")
        found = renamed_files(self.documents, {str(old): str(new)})
        for uri, edits in (found.changes if found is not None else {}).items():
            other = next(opened for opened in self.opened if opened.document.uri == uri)
            for edit in reversed(edits):
                line, units = edit.range.start.line, [edit.range.start.character, edit.range.end.character]
                start, end = (_column(other.text, line, unit) for unit in units)
                self.change(other, Change((line, start), (line, end), edit.new_text))
        self.documents.close(each.document.uri)
        each.path = new
        if each.data:
            each.path.write_bytes(each.data)
        else:
            old.rename(new)
        each.document = each.open(self.documents)
        self.documents.surround(self.documents.all())

    def abandon(self) -> None:
        """Begin what a pause begins, and leave it where an edit would."""
        steps = self.chooser.choice(self.opened).document.snapshot.settle()
        for _ in range(self.chooser.randrange(6)):
            next(steps, None)

    def cancel(self) -> int:
        """Ask the worker for much at once, cancel some of it, and edit meanwhile; the number of cancelled requests."""
        asked: list[Future[Any]] = []
        for _ in range(self.chooser.randrange(2, 7)):
            each = self.chooser.choice(self.opened)
            document, snapshot = each.document, each.document.snapshot
            name, place = self.chooser.choice(REQUESTS), _place(self.chooser, each.text)
            given = parameters(each, document, name, place)
            if name in ("hover", "completion") and snapshot.is_plain:
                early = adapter(f"{name}.before_analysis")
                asked.append(_worker().submit_at_once(partial(early, snapshot, given)))
            asked.append(_worker().submit(Urgency.REQUEST, partial(document.answer, snapshot, name, given)))
            asked.append(_worker().submit(Urgency.CHECK, partial(_newest, document)))
            if self.chooser.random() < 0.5:
                self.edit()
            if self.chooser.random() < 0.7:
                self.chooser.choice(asked).cancel()
        for answer in asked:
            if not answer.cancelled():
                answer.result(_TIMEOUT)
        return sum(answer.cancelled() for answer in asked)

    def ask(self) -> str:
        """Ask something about some place; the request's name."""
        name, each = self.chooser.choice(REQUESTS), self.chooser.choice(self.opened)
        place = _place(self.chooser, each.text)
        _answer(each, each.document, name, place)
        return name

    def compared(self, requests: int) -> str:
        """How findings and answers differ from those of fresh documents with the same texts; empty if they do not."""
        self.pause()
        fresh = Documents(self.documents.client)
        fresh.settings = self.documents.settings
        news = [each.open(fresh) for each in self.opened]
        fresh.surround(fresh.all())
        for each, new in zip(self.opened, news, strict=True):
            new.snapshot.typed_line = each.document.snapshot.typed_line  # what is being typed is not judged
            for document in (each.document, new):
                document.snapshot.pause()  # what a growing line lacks is told then
            edited, found = _found(each.document), _found(new)
            if edited != found:
                more, less = (Counter(one) - Counter(two) for one, two in ((edited, found), (found, edited)))
                return f"{each.path.name}: edited has {list(more)[:2]}, fresh has {list(less)[:2]}"
            for name in (*_OF_ALL, *(self.chooser.choice(REQUESTS) for _ in range(requests))):
                place = _place(self.chooser, each.text)
                one, other = (_shown(_answer(each, document, name, place)) for document in (each.document, new))
                if one != other:
                    where, left, right = _first_difference(one, other)
                    at = f"{each.path.name}: {name} at {place[0] + 1}:{place[1] + 1}{where}"
                    return f"{at}: edited has {_short(left)}, fresh has {_short(right)}"
        return ""


@cache
def _worker() -> Worker:
    return Worker()


def _newest(document: Document) -> None:
    """Check the newest version of a document, as a check does whose turn comes."""
    diagnostics.diagnose(document.snapshot)


def _answer(each: Opened, document: Document, name: str, place: tuple[int, int]) -> Any:
    return document.answer(document.snapshot, name, parameters(each, document, name, place))


def parameters(each: Opened, document: Document, name: str, place: tuple[int, int]) -> Any:
    """The parameters of a request about a place and the lines above it."""
    where = each.position(place)
    around = types.Range(types.Position(max(0, place[0] - 5), 0), where)
    if name == "content":
        scheme = (paths.EXPANSION, paths.ENCODED, paths.ASSEMBLY)[place[0] % 3]
        return Asked(scheme, document.uri, (max(0, place[0] - 5), place[0]) if place[1] % 2 else None)
    given = SimpleNamespace(
        text_document=types.TextDocumentIdentifier(document.uri),
        uri=document.uri,
        position=where,
        positions=[where],
        context=SimpleNamespace(
            include_declaration=True, only=None, diagnostics=[], trigger_character=None, active_signature_help=None
        ),
        range=around,
        ranges=[around, around],
        options=types.FormattingOptions(4, True),
        new_name="another_name",
        name=(each.text.lines[place[0]].split() or ["s_nop"])[0],
        target="gfx90a",
        line=place[0],
        previous_result_id="1",
        item=SimpleNamespace(name="again", data=document.uri, uri=document.uri),
    )
    if name in ("semantic_tokens", "semantic_tokens.semantic_tokens_delta"):
        del given.range  # by which inline assembly knows what is asked for
    return given


def _shown(answer: Any) -> Any:
    """An answer in JSON, without the numbers of versions and results."""
    found = json.loads(msgspec.json.encode(answer, enc_hook=repr))
    return _without_numbers(found)


def _without_numbers(found: Any) -> Any:
    if isinstance(found, list):
        return [_without_numbers(each) for each in found]
    if not isinstance(found, dict):
        return found
    kept = {key: _without_numbers(value) for key, value in found.items() if key not in ("resultId", "version")}
    if isinstance(kept.get("data"), list) and "range" in kept:  # of an item: its document and version, and what it is
        kept["data"] = kept["data"][2:]
    if "isIncomplete" in kept:  # entries as an editor shows them
        kept["items"] = sorted(kept["items"], key=lambda item: (item.get("sortText", item["label"]), item["label"]))
    return kept


def _found(document: Document) -> list[str]:
    snapshot = document.snapshot
    if not snapshot.has_assembly:
        return []
    finish(snapshot.settle())
    return sorted(repr(each) for part in diagnostics.diagnose(snapshot).values() for each in part)


def _units(text: Text, line: int, column: int) -> int:
    return len(text.lines[line][:column].encode("utf-16-le", "surrogatepass")) // 2


def _column(text: Text, line: int, units: int) -> int:
    """The column in characters of a place in UTF-16."""
    before = text.lines[line].encode("utf-16-le", "surrogatepass")[: 2 * units]
    return len(before.decode("utf-16-le", "surrogatepass"))


def run(
    kind: Kind, edits: int, every: int, chooser: random.Random, done: Counter[str], requests: int = 12
) -> Iterator[Failure]:
    """Edit documents of a kind; compare after `every` edits, with so many requests about each."""
    with tempfile.TemporaryDirectory() as folder:
        editing = Editing(kind, Path(folder), chooser)
        for number in range(1, edits + 1):
            step = "edit"
            try:
                editing.edit()
                done["edits"] += 1
                choice = chooser.random()
                if choice < 0.5:
                    step = "findings"
                    diagnostics.diagnose(chooser.choice(editing.opened).document.snapshot)
                if choice < 0.3:
                    step = "a request"
                    step = editing.ask()
                    done["requests"] += 1
                if choice < 0.02:
                    step = "settings"
                    editing.configure()
                    done["settings"] += 1
                elif choice < 0.04:
                    step = "a name"
                    editing.rename()
                    done["names"] += 1
                elif choice < 0.08:
                    step = "something abandoned"
                    editing.abandon()
                    done["abandoned"] += 1
                elif choice < 0.12:
                    step = "something cancelled"
                    done["cancelled"] += editing.cancel()
                if number % every == 0:
                    step = "comparison"
                    done["comparisons"] += 1
                    differs = editing.compared(requests)
                    if differs:
                        yield Failure(kind.name, number, differs)
                        return
            except Exception:
                yield Failure(kind.name, number, f"{step}: {traceback.format_exc()}")
                return


def resident() -> float:
    """The megabytes that this process has in memory after a collection; 0 where the system does not say."""
    gc.unfreeze()  # what the worker has frozen
    gc.collect()
    status = Path("/proc/self/status")
    rows = status.read_text().splitlines() if status.exists() else ()
    return next((int(row.split()[1]) for row in rows if row.startswith("VmRSS")), 0) / 1024


class Memory:
    """The memory of this process after a collection, again and again."""

    def __init__(self) -> None:
        self._readings: list[tuple[int, float]] = []  # the number of edits, and megabytes

    def read(self, edits: int) -> None:
        """Take a reading after so many edits."""
        self._readings.append((edits, resident()))

    @property
    def now(self) -> float:
        """Megabytes at the last reading."""
        return self._readings[-1][1]

    @property
    def growth(self) -> float:
        """Megabytes more in 10,000 edits, in the second half of the run: in the first one tables and caches fill."""
        (first, before), (last, now) = self._readings[len(self._readings) // 2], self._readings[-1]
        return (now - before) * 10_000 / (last - first) if last > first else 0.0


_ENOUGH = 50_000  # edits after which growth is no longer that of caches
_MOST_GROWTH = 1.0  # megabytes in 10,000 edits


def main(arguments: Sequence[str]) -> int:
    """Edit documents of all kinds in turn until there were so many edits."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--edits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="edits between two comparisons")
    parser.add_argument("--episode", type=int, default=200, help="edits of one document before the next one")
    parser.add_argument("--kind", choices=[kind.name for kind in kinds()], help="only this kind, by its name")
    options = parser.parse_args(arguments)
    chooser = random.Random(options.seed)
    done: Counter[str] = Counter()
    failures, memory = 0, Memory()
    while done["edits"] < options.edits:
        for kind in kinds():
            if options.kind in (None, kind.name):
                for failure in run(kind, options.episode, options.every, chooser, done):
                    failures += 1
                    print(f"{failure.kind} after {failure.edits} edits: {failure.what}", flush=True)
        memory.read(done["edits"])
        counts = ", ".join(f"{number} {name}" for name, number in done.items())
        growth = f"{memory.now:.0f} MB, {memory.growth:+.2f} MB in 10,000 edits (goal {_MOST_GROWTH:.0f})"
        print(f"{counts}; {failures} failures and differences; {growth}", flush=True)
    grows = done["edits"] >= _ENOUGH and memory.growth > _MOST_GROWTH
    return int(failures > 0 or grows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
