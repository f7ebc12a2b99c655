"""Edits documents of every kind at random within this process, and compares with what a fresh document says.

`python -m tests.server.random_kinds --edits 20000 --seed 1` prints each failure and difference, and exits with 1 when
there is one. Between the edits come requests, other settings and other names. `random_edits` does so over the protocol
for files of assembly; without it an edit costs a tenth.
"""

import argparse
import gc
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from lsprotocol import types

from gcn_lsp.flow.steps import finish
from gcn_lsp.project import Settings
from gcn_lsp.server import diagnostics
from gcn_lsp.server.client import Client
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.object_text import object_text
from tests.server.random_edits import Change, Text, _place, some_change
from tests.server.test_incremental import CONSTRUCTS
from tests.support.elf import bundle, code_object

TARGET = '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n'
_CODE = bytes.fromhex("020002c0000000000002007e000081bf")  # s_load_dword s0; v_mov_b32 v0, s0; s_endpgm
_REQUESTS = (
    *("hover", "completion", "signature_help", "definition", "references", "document_highlight", "folding_range"),
    *("rename.prepare_rename", "document_symbol", "code_lens", "document_link", "semantic_tokens", "selection_range"),
    *("call_hierarchy.prepare_call_hierarchy", "inlay_hint", "code_action"),
)
_SETTINGS = (
    Settings(),
    Settings(target="gfx90a"),
    Settings(target="gfx1100"),
    Settings(targets=("gfx90a", "gfx942")),
    Settings(defines={"a": 3}, macros={"FIRST": "v0"}),
    Settings(ignore=("missing-wait",), llvm=22),
)


class Kind(NamedTuple):
    """A kind of document: the end of its name, its language, its text. data: of the code object that it stands for."""

    name: str
    language: str
    text: str
    data: bytes = b""


def kinds() -> list[Kind]:
    """A document of every kind."""
    one, other = (code_object(_CODE, [("k", 0, 16, 1)], flags=flags) for flags in (0x4C, 0x3F))
    return [
        Kind("k.s", "gcn", TARGET + CONSTRUCTS),
        Kind("unnamed.s", "gcn", CONSTRUCTS),
        Kind("k.S", "gcn", f"{TARGET}{_PREPROCESSED}"),
        Kind("k.hip", "hip", _HIP),
        Kind("k.py", "python", _PYTHON),
        Kind("k.sp3", "sp3", _SP3),
        Kind("k.dump", "gcn", _LISTING),
        Kind("k.hsaco", "gcn", "", one),
        Kind("k.hipfb", "gcn", "", bundle(("gfx942", one), ("hip-amdgcn-amd-amdhsa--gfx90a:xnack+", other))),
    ]


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


class Editing:
    """A document under edits, with all that is around it."""

    def __init__(self, kind: Kind, folder: Path, chooser: random.Random) -> None:
        self.kind = kind
        self.chooser = chooser
        self.folder = folder
        self.documents = Documents(Client(encoding="utf-16", diagnostic_tags=True, related_information=True))
        self.documents.settings = {"": Settings()}
        self.path = folder / kind.name
        written = kind.text
        if kind.data:
            self.path.write_bytes(kind.data)
            found = object_text(self.documents.files, str(self.path))
            written = str(getattr(found, "text", ""))
        self.text = Text(written)
        self.version = 1
        self.document = self._opened(self.documents)

    def _opened(self, documents: Documents) -> Document:
        item = types.TextDocumentItem(self.path.as_uri(), self.kind.language, self.version, self.text.whole())
        return documents.open(item)

    def edit(self, change: Change) -> None:
        """Make a change."""
        start, end = (
            types.Position(line, _units(self.text, line, column)) for line, column in (change.start, change.end)
        )
        self.text.apply(change)
        self.version += 1
        changes = [types.TextDocumentContentChangePartial(types.Range(start, end), change.text)]
        self.documents.edit(self.document.uri, self.version, changes)

    def configure(self) -> None:
        """Take other settings."""
        self.documents.settings = {"": self.chooser.choice(_SETTINGS)}
        self.documents.surround(self.documents.all())

    def rename(self) -> None:
        """Close the document and open it by another name of its kind."""
        self.documents.close(self.document.uri)
        name = f"{self.chooser.choice('abc')}{self.kind.name}"
        self.path = self.folder / name
        if self.kind.data:
            self.path.write_bytes(self.kind.data)
        self.document = self._opened(self.documents)

    def ask(self) -> str:
        """Ask something about some place; the request's name."""
        name = self.chooser.choice(_REQUESTS)
        line, column = _place(self.chooser, self.text)
        where = types.Position(line, _units(self.text, line, column))
        around = types.Range(types.Position(max(0, line - 5), 0), where)
        params = SimpleNamespace(
            text_document=types.TextDocumentIdentifier(self.document.uri),
            position=where,
            positions=[where],
            context=SimpleNamespace(
                include_declaration=True, only=None, diagnostics=[], trigger_character=None, active_signature_help=None
            ),
            range=around,
        )
        if name.startswith("semantic"):
            del params.range
        self.document.answer(self.document.snapshot, name, params)
        return name

    def compared(self) -> str:
        """How the findings differ from those of a fresh document with the same text; empty if they do not."""
        fresh = Documents(self.documents.client)
        fresh.settings = self.documents.settings
        edited, new = (_found(document) for document in (self.document, self._opened(fresh)))
        if edited == new:
            return ""
        more, less = (Counter(one) - Counter(two) for one, two in ((edited, new), (new, edited)))
        return f"edited has {list(more)[:2]}, fresh has {list(less)[:2]}"


def _found(document: Document) -> list[str]:
    snapshot = document.snapshot
    if not snapshot.has_assembly:
        return []
    finish(snapshot.settle())
    return sorted(repr(each) for part in diagnostics.diagnose(snapshot).values() for each in part)


def _units(text: Text, line: int, column: int) -> int:
    return len(text.lines[line][:column].encode("utf-16-le", "surrogatepass")) // 2


def run(kind: Kind, edits: int, every: int, chooser: random.Random, done: Counter[str]) -> Iterator[Failure]:
    """Edit a document of a kind; compare after `every` edits."""
    with tempfile.TemporaryDirectory() as folder:
        editing = Editing(kind, Path(folder), chooser)
        for number in range(1, edits + 1):
            step = "edit"
            try:
                change = some_change(chooser, editing.text)
                editing.edit(change)
                done["edits"] += 1
                choice = chooser.random()
                if choice < 0.5:
                    step = "findings"
                    diagnostics.diagnose(editing.document.snapshot)
                if choice < 0.3:
                    step = "a request"
                    step = editing.ask()
                    done["requests"] += 1
                if choice < 0.02:
                    step = "settings"
                    editing.configure()
                    done["settings"] += 1
                elif choice < 0.03:
                    step = "a name"
                    editing.rename()
                    done["names"] += 1
                if number % every == 0:
                    step = "comparison"
                    done["comparisons"] += 1
                    differs = editing.compared()
                    if differs:
                        yield Failure(kind.name, number, differs)
                        return
            except Exception:
                yield Failure(kind.name, number, f"{step}: {traceback.format_exc()}")
                return


def _memory() -> int:
    """The memory that this process has resident after a collection, in megabytes; 0 where the system does not say."""
    gc.collect()
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 >> 20 if status.exists() else 0


def main(arguments: Sequence[str]) -> int:
    """Edit documents of all kinds in turn until there were so many edits."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--edits", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="edits between two comparisons")
    parser.add_argument("--episode", type=int, default=200, help="edits of one document before the next one")
    options = parser.parse_args(arguments)
    chooser = random.Random(options.seed)
    done: Counter[str] = Counter()
    failures = 0
    while done["edits"] < options.edits:
        for kind in kinds():
            for failure in run(kind, options.episode, options.every, chooser, done):
                failures += 1
                print(f"{failure.kind} after {failure.edits} edits: {failure.what}", flush=True)
        print(f"{dict(done)}, {failures} failures, {_memory()} MB", flush=True)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
