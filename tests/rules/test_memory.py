"""What the rules remember of a version goes with it: typing for hours takes no more memory than a minute of it."""

import gc
import weakref
from collections.abc import Iterator

from gcn_lsp import rules
from gcn_lsp.analysis.control import graph
from gcn_lsp.findings.rule import Stage
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText
from tests.benchmarks.kernel import kernel

EDITS = 40


def versions(program: Program) -> Iterator[Program]:
    """Edits here and there: an instruction more, and gone again."""
    source = program.source
    for number in range(EDITS):
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
        found = graph.of(version)
        assert found is not None
        seen += (weakref.ref(part) for part in (*version.chunks, *found.nodes))
        program = version
    rules.check(program)
    found = graph.of(program)
    assert found is not None
    gc.collect()
    current = {id(part) for part in (*program.chunks, *found.nodes)}
    left = {id(part()) for part in seen if part() is not None} - current
    assert len(left) <= len(current) // 4, f"{len(left)} of earlier versions, {len(current)} of this one"
