"""Whether the assembler gives bytes again is asked once for all instructions of a pattern, and is the same for each."""

import random

import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import Decoder, decoder_for
from gcn_lsp.instruction.decoding.returning import Returning
from tests.instruction.decoding.test_decoder import TARGETS, recorded
from tests.instruction.support import assemble

SAMPLE = 60  # recorded lines of a target by default
FLIPS = 6


def test_bits_that_no_operand_shows_do_not_come_back() -> None:
    assert gives("gfx942", "0000007e")  # v_nop
    assert not gives("gfx942", "0100007e")
    assert gives("gfx942", "ff0080be05000000")  # a literal where there is an inline constant, written `lit(0x5)`


def test_the_pattern_leaves_out_which_vector_registers_are_named() -> None:
    assert pattern("v_add_f32 v4, v2, v6") == pattern("v_add_f32 v8, v12, v40")
    assert pattern("v_add_f32 v4, v2, v6") != pattern("v_sub_f32 v4, v2, v6")
    assert pattern("v_add_f32 v4, s2, v6") == pattern("v_add_f32 v4, s41, v6")
    assert pattern("v_add_f32 v4, s2, v6") != pattern("v_add_f32 v4, vcc_lo, v6")


def test_the_pattern_keeps_how_registers_overlap() -> None:
    assert pattern("v_add_f32 v4, v2, v6") != pattern("v_add_f32 v4, v2, v4")
    apart = pattern("v_mfma_f32_32x32x1_2b_f32 v[0:31], v32, v34, v[64:95]")
    assert apart == pattern("v_mfma_f32_32x32x1_2b_f32 v[32:63], v64, v66, v[96:127]")
    assert apart != pattern("v_mfma_f32_32x32x1_2b_f32 v[0:31], v96, v98, v[0:31]")
    # LLVM rejects tuples that overlap in part, so that nothing gives these bytes.
    code = assemble("v_mfma_f32_32x32x1_2b_f32 v[0:31], v96, v98, v[64:95]", "gfx942").code
    assert gives("gfx942", code.hex())
    in_part = int.from_bytes(code, "little") & ~(0xFF << 50) | 2 << 50  # v[2:33]
    assert not gives("gfx942", in_part.to_bytes(8, "little").hex())


@pytest.mark.parametrize("cpu", TARGETS)
def test_one_answer_is_right_for_all_of_a_pattern(cpu: str) -> None:
    check_patterns(cpu, SAMPLE)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS)
def test_one_answer_is_right_for_all_of_a_pattern_everywhere(cpu: str) -> None:
    check_patterns(cpu, 1 << 30)


def gives(target: str, code: str) -> bool:
    known = isa.load_target(target)
    found = decoder_for(known).read(bytes.fromhex(code))
    assert found is not None
    return Returning(known).gives(found, bytes.fromhex(code))


def pattern(line: str) -> tuple[int, ...]:
    code = assemble(line, "gfx942").code
    found = decoder_for(isa.load_target("gfx942")).read(code)
    assert found is not None
    return found.pattern


def check_patterns(cpu: str, most: int) -> None:
    """Change bits of recorded instructions: those that share a pattern share the answer."""
    source = random.Random(cpu)
    rows = recorded(cpu)
    compared = 0
    for features, _, code in source.sample(rows, min(most, len(rows))):
        target = isa.load_target(cpu, features)
        decoder, returning = decoder_for(target), Returning(target)
        bits = len(code) * 8
        number = int.from_bytes(code, "little")
        for base in (number, *(number ^ 1 << source.randrange(bits) for _ in range(FLIPS))):
            compared += compare(decoder, returning, base, len(code), source)
    assert compared > len(rows[:most]) // 2


def compare(decoder: Decoder, returning: Returning, number: int, size: int, source: random.Random) -> int:
    first = decoder.read(number.to_bytes(size, "little"))
    if first is None:
        return 0
    answer = returning.assembled(first.text) == number.to_bytes(size, "little")[: first.size]
    count = 0
    for bit in source.sample(range(size * 8), 24):
        changed = (number ^ 1 << bit).to_bytes(size, "little")
        other = decoder.read(changed)
        if other is None or (other.form.name, other.pattern) != (first.form.name, first.pattern):
            continue
        count += 1
        assert (returning.assembled(other.text) == changed[: other.size]) == answer, (first.text, other.text)
    return count
