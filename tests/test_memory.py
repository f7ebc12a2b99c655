"""Typing for hours takes no more memory than a minute of it: what is kept has an owner that goes, or a limit."""

import gc
import random
import weakref
from collections.abc import Iterator

import pytest

from gcn_lsp import rules
from gcn_lsp.analysis.control import graphs
from gcn_lsp.findings.rule import Stage
from gcn_lsp.flow.kept import ByTurns
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText
from tests.benchmarks.kernel import kernel
from tests.support import growth
from tests.support.ide import ask_everything

EDITS = 40  # of a round, each with 25 new things
ROUND = 50400  # between the numbers of two rounds: a multiple of all that `things` divides by
LIMIT = 16  # of the memos by value here, so that they are full after a few edits


def things(number: int) -> Iterator[str]:
    """Lines that no other number has: what one may type in a kernel, right and wrong."""
    yield f"v_add_u32_e32 v{number % 200}, {number:#x}, v2"
    yield f"s_mov_b32 s{number % 90}, {number}"
    yield f"v_add_f32 v{number % 100}, {number}.5, v[symbol{number}]"
    yield f"v_frobnicate{number} v0, v1"
    yield f"v_mov_b32 v{number}, s{number % 8}"
    yield f"ds_read_b32 v{number % 70}, v0 offset:{number % 60} ; {number}"
    yield f"global_load_dword v{number % 70}, v[0:1], off ofset:{number}"
    yield f"s_waitcnt vmcnt({number % 60})"
    yield f"v_mfma_f32_4x4x1f32 a[{number % 60 * 4}:{number % 60 * 4 + 3}], v{number % 50}, v{number % 60}, 0"
    yield f"s_nop {number % 20} // {number}"
    yield f".set symbol{number}, {number % 90}"
    yield f"s_add_u32 s{number % 80}, s2, symbol{number} + {number}"
    yield f"label{number}:"
    yield f"s_cbranch_scc{number % 2} label{number}"
    yield f"s_branch nowhere{number}"
    yield f"; a comment {number}; gcn-lsp: disable=rule-{number}"
    yield f".macro macro{number} argument{number}\nv_mul_f32 v\\argument{number}, {number}.25, v1\n.endm"
    yield f"macro{number} {number % 90}"
    yield f'.ascii "text {number}"'
    yield f".if defined(symbol{number})\ns_sleep {number % 100}\n.endif"
    yield f".long {number}, label{number} - {number}"
    yield f".irp word{number}, {number % 90}, {number % 80}\nv_mov_b32 v\\word{number}, {number}\n.endr"
    yield f'.include "file{number}.inc"'
    yield f".section .section{number}\n.byte {number % 90}\n.text"
    yield f".amdhsa_kernel label{number}\n.amdhsa_next_free_vgpr {number % 200}\n.end_amdhsa_kernel"


def included(_: str, name: str) -> SourceText:
    return SourceText.from_bytes(name, f".set of_{name.removesuffix('.inc')}, 1\n".encode())


def typed(program: Program, first: int) -> Program:
    """The program after `EDITS` edits, each of which puts other things in the place of the last ones."""
    start = 8
    for number in range(first, first + EDITS):
        source = program.source
        lines = "".join(f"{line}\n" for line in things(number))
        end = len(source.lines) - 3
        program = build(source.replace(start, 0, end, 0, lines.encode()), program.options, program)
        findings = rules.check(program, until=Stage.PATHS) if number % 4 else rules.check(program)
        places = random.Random(number % EDITS)  # the same in every round, so that no round meets other features
        for line in places.sample(range(start, len(program.source.lines)), 4):
            ask_everything(program, line, places.randrange(1 + len(program.source.lines[line])), findings)
    return program


@pytest.mark.parametrize("target", ["gfx90a", None])
def test_nothing_grows_with_what_is_typed(target: "str | None", monkeypatch: pytest.MonkeyPatch) -> None:
    text = "kernel:\n" + "v_mov_b32 v1, v2\n" * 12 + "s_endpgm\n\n"
    program = typed(build(SourceText.from_bytes("k.s", text.encode()), Options(target, include=included)), ROUND)
    for memo in growth.by_value():
        monkeypatch.setattr(memo, "limit", LIMIT)
        if isinstance(memo, ByTurns):  # which returns to this one
            monkeypatch.setattr(memo, "_least", LIMIT)
    program = typed(program, 2 * ROUND)
    stores, growing = growth.stores(), []
    for number in (3, 4):  # a table that turns is now larger and now smaller; what is never dropped grows each time
        before = stores
        program = typed(program, number * ROUND)
        stores = growth.stores()
        growing.append({each.partition(":")[0]: each for each in growth.grown(before, stores, EDITS // 2)})
    assert [growing[1][path] for path in growing[0].keys() & growing[1].keys()] == []


VERSIONS = 40


def versions(program: Program) -> Iterator[Program]:
    """Edits here and there: an instruction more, and gone again."""
    source = program.source
    for number in range(VERSIONS):
        line = 80 + number * 37 % (len(source.lines) - 120)
        for edited in (source.replace(line, 0, line, 0, b"s_waitcnt vmcnt(1)\nv_mov_b32 v5, v2\n"), source):
            program = build(edited, program.options, program)
            yield program


def test_chunks_and_segments_of_earlier_versions_are_gone() -> None:
    program = build(SourceText.from_bytes("k.s", kernel(1500).encode()), Options("gfx90a"))
    assert rules.check(program) == []
    seen: list[weakref.ref[object]] = []
    for version in versions(program):
        rules.check(version, until=Stage.PATHS)
        found = graphs.of(version)
        assert found is not None
        seen += (weakref.ref(part) for part in (*version.chunks, *found.nodes))
        program = version
    rules.check(program)
    found = graphs.of(program)
    assert found is not None
    gc.collect()
    current = {id(part) for part in (*program.chunks, *found.nodes)}
    left = {id(part()) for part in seen if part() is not None} - current
    assert len(left) <= len(current) // 4, f"{len(left)} of earlier versions, {len(current)} of this one"
