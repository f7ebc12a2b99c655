"""Descriptor blocks over chunks and edits, and their problems."""

import pytest

from gcn_lsp.program import problems, program
from gcn_lsp.program.kernels import descriptor_blocks
from gcn_lsp.text import SourceText


def build(text: str, target: str | None = "gfx900", mattr: str = "") -> program.Program:
    return program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target, mattr))


BLOCK = ".amdhsa_kernel k\n .amdhsa_next_free_vgpr 8\n .amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n"


def test_a_block_over_two_chunks_is_one() -> None:
    built = build("\n" * 62 + ".rodata\n" + BLOCK)
    assert len(built.chunks) == 2
    (block,) = built.kernel_blocks
    assert block.is_closed
    assert block.written == (("next_free_vgpr", 8), ("next_free_sgpr", 8))
    assert built.section_bytes(".rodata")[48:52].hex() == "4100ac00"


def test_an_edit_elsewhere_keeps_the_block() -> None:
    source = SourceText.from_bytes("k.s", (BLOCK + "s_nop 0\n" * 200).encode())
    options = program.Options("gfx900")
    before = program.build(source, options)
    after = program.build(source.replace(150, 0, 150, 0, b"s_nop 1\n"), options, before)
    assert after.kernel_blocks[0] is before.kernel_blocks[0]


def test_an_edit_of_a_late_symbol_changes_the_kernel() -> None:
    text = BLOCK.replace("vgpr 8", "vgpr n") + "s_nop 0\n" * 200 + ".set n, 16\n"
    source = SourceText.from_bytes("k.s", text.encode())
    options = program.Options("gfx900")
    before = program.build(source, options)
    after = program.build(source.replace(204, 8, 204, 10, b"24"), options, before)
    assert [built.kernels[0].fields[0].value for built in (before, after)] == [16, 24]


def test_a_late_symbol_may_be_set_by_one_that_comes_later_still() -> None:
    text = BLOCK.replace("vgpr 8", "vgpr max(n, 1)") + ".set n, max(most, 8)\n.set most, other+1\n.set other, 16\n"
    (found,) = build(text).kernels
    assert found.fields[0].value == 17


def test_late_symbols_that_go_round_have_no_value() -> None:
    (found,) = build(BLOCK.replace("vgpr 8", "vgpr n") + ".set n, m+n\n.set m, n+1\n").kernels
    assert found.fields[0].value is None


@pytest.mark.parametrize("field", ["user_sgpr_dispatch_ptr", "user_sgpr_count", "user_sgpr_private_segment_size"])
def test_a_field_on_which_others_depend_needs_its_value_at_once(field: str) -> None:
    text = BLOCK.replace(".amdhsa_next_free_vgpr 8", f".amdhsa_next_free_vgpr 8\n .amdhsa_{field} later")
    (found,) = problems.of(build(text + ".set later, 1\n"))
    assert found.problem.rule == "descriptor-field"
    assert "only after this line" in found.problem.message
    assert not list(problems.of(build(text)))  # the build may define it


def test_an_open_block_says_nothing_yet() -> None:
    (found,) = build(".amdhsa_kernel k\n .amdhsa_next_free_vgpr 8\n").kernels
    assert (found.name, found.resources) == ("k", None)


@pytest.mark.parametrize("before", [0, 50, 58, 60, 62])
def test_a_block_that_a_repetition_ends_has_the_same_strays_wherever_it_is(before: int) -> None:
    """The repetition begins in another chunk than it ends, or in the same: what follows the block is no part of it."""
    lines = (".amdhsa_kernel k", ".rept 2", ".amdhsa_ieee_mode 1", ".end_amdhsa_kernel", *["s_nop 1"] * 20, ".endr")
    built = build("s_nop 0\n" * before + "\n".join(lines))
    strays = [each for each in problems.of(built) if "can hold only `.amdhsa_` fields" in each.problem.message]
    assert [each.where.line - before for each in strays] == [1]


@pytest.mark.parametrize("before", [0, 50, 58, 60, 62, 63])
def test_a_block_in_a_repetition_has_the_same_strays_wherever_it_is(before: int) -> None:
    lines = (".rept 1", ".amdhsa_kernel k", "s_nop 0", "s_nop 1", ".end_amdhsa_kernel", *["s_nop 2"] * 9, ".endr")
    built = build("s_nop 0\n" * before + "\n".join(lines))
    strays = [each for each in problems.of(built) if "can hold only `.amdhsa_` fields" in each.problem.message]
    assert [each.where.line - before for each in strays] == [2, 3]


def test_a_block_is_kept_with_its_chunk_but_not_with_a_copy_of_that() -> None:
    (chunk, *_) = build(BLOCK + "s_nop 0\n").chunks
    (block,) = descriptor_blocks.of((chunk,))
    assert descriptor_blocks.of((chunk,)) == (block,)
    moved = chunk.moved(chunk.before, chunk.after)
    (copied,) = descriptor_blocks.of((moved,))
    assert {place[0] for place in copied.lines} == {moved}
