"""What a chunk notes about the program before it and about its own lines."""

from gcn_lsp import isa
from gcn_lsp.instruction.memo import assembler_for
from gcn_lsp.preproc.calls import Budget
from gcn_lsp.preproc.state import initial_state
from gcn_lsp.program.builder import assemble_chunk
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.emitter import Surroundings
from gcn_lsp.syntax.expressions import Address


def assembled(*lines: str) -> Chunk:
    """Lines after 16 bytes of `.text` with the label `before` at 8."""
    labels = {"before": Address(".text", 8)}
    surroundings = Surroundings(labels.get, {".text": 16})
    assembler = assembler_for(isa.load_target("gfx90a"))
    text = tuple(line.encode() for line in lines)
    return assemble_chunk(
        text, initial_state({"a": 3}), surroundings, assembler, lambda *_: None, "k.s", Budget(100), 0
    )


def test_only_what_is_asked_for_is_noted() -> None:
    chunk = assembled("s_nop 0", "s_branch later")
    assert (chunk.asked.addresses, chunk.asked.sizes) == ({}, None)
    chunk = assembled(".if . - before == 8", "s_nop 1", ".endif")
    assert chunk.asked.addresses == {"before": Address(".text", 8)}
    assert chunk.asked.sizes == {".text": 16}
    assert len(chunk.items) == 1


def test_symbols_that_are_read_and_written() -> None:
    chunk = assembled("b = a + 1", ".set c, 2")
    assert "a" in chunk.asked.symbols
    assert chunk.changed.symbols == {"b", "c"}
    assert chunk.after.symbols["b"] == 4


def test_sections_go_on_after_the_chunk() -> None:
    chunk = assembled(".pushsection .data", ".long 1")
    assert (chunk.after.section, chunk.after.stack) == (".data", ((".text", ""),))
    assert [piece.section for piece in chunk.pieces] == [".data"]


def test_where_an_item_is_written() -> None:
    chunk = assembled(".macro m", "s_nop 0", ".endm", "m")
    call, inside = chunk.items
    assert (call.kind, call.written.line, call.written.frame) == ("expansion", 3, None)
    assert (inside.written.line, inside.written.top_line) == (0, 3)
    assert inside.written.frame is not None
    assert inside.written.frame.written == call.written
