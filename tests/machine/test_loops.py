"""Loops over the parts of a register: all turns at once give what they give one after another."""

import numpy as np
import pytest

from gcn_lsp import isa
from gcn_lsp.isa.documentation.operation import For, parse
from gcn_lsp.machine import loops, operation
from gcn_lsp.machine.operation import BoundInstruction, bind
from gcn_lsp.machine.registers import Wave
from tests.instruction.support import assemble
from tests.machine.surroundings import Surroundings

TARGET, LANES = "gfx90a", 64


def rows_of(text: str, turns: int = 4) -> "loops.Rows | None":
    (loop,) = parse(text)
    assert isinstance(loop, For)
    return loops.rows(loop, turns)


def result(line: str, most: int) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
    """The destination in each lane. most: of the bytes of the last source."""
    operation._SHAPES.clear()
    bound = bind(assemble(line, TARGET), isa.load_target(TARGET), lanes=LANES)
    assert isinstance(bound, BoundInstruction)
    wave, source = Wave(LANES, 8, 32), np.random.default_rng(most)
    wave.vgprs[:3] = source.integers(0, 1 << 32, (3, LANES))
    wave.vgprs[3] = source.integers(0, most, (LANES, 4), np.uint8).view(np.uint32)[:, 0]
    wave.sgprs[2] = 0x0C07_0B04
    wave.exec = 0xFFFF_0FFF_FFFF_FFF0
    bound.execute(wave, Surroundings())
    return wave.vgprs[0].copy()


@pytest.mark.parametrize("most", [4, 8, 12, 13, 255])
@pytest.mark.parametrize(
    "line", ["v_perm_b32 v0, v1, v2, v3", "v_perm_b32 v0, v1, v2, s2", "v_perm_b32 v0, 1, v0, v3",
             "v_lerp_u8 v0, v1, v2, v3", "v_dot8_i32_i4 v0, v1, v3, v2", "v_dot8_u32_u4 v0, v1, s2, v2",
             "v_dot4_i32_i8 v0, v1, v3, v2", "v_dot4_u32_u8 v0, v3, v2, v1", "v_dot2_i32_i16 v0, v1, v3, v2",
             "v_dot4c_i32_i8 v0, v1, v3", "v_dot4_i32_i8 v0, v1, v3, v2 clamp"]
)  # fmt: skip
def test_rows_and_turns_are_equal(line: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = result(line, most)
    monkeypatch.setattr(loops, "rows", lambda loop, turns: None)
    monkeypatch.setattr(loops, "summand", lambda loop: None)
    assert (found == result(line, most)).all()


@pytest.mark.parametrize(
    ("line", "code"),
    [("v_perm_b32 v0, v1, v2, v3", "side_by_side("), ("v_dot8_i32_i4 v0, v1, v2, v3", ".sum(axis=0)")],
)
def test_the_turns_are_rows(line: str, code: str) -> None:
    bound = isa.load_target(TARGET), assemble(line, TARGET)
    operation._SHAPES.clear()
    bind(bound[1], bound[0], lanes=LANES)
    (made,) = operation._SHAPES.values()
    assert isinstance(made, operation.Compiled)
    assert code in made.source


@pytest.mark.parametrize(
    "text",
    [
        "for i < 4: D.u8[i] = D.u8[i] + 1",  # it reads what it fills
        "for i < 4: D.u8[0] = S0.u8[i]",  # one part again and again
        "for i < 4: sum = sum + S0.u8[i]",  # it fills nothing
        "for i < 4:\n  if S0.u8[i] > 3: D.u8[i] = 0",  # some parts stay
        "for i < 4: D.f16[i] = S0.f16[i]",
        "for i < 4: D.u16[i] = S0.u8[i]",  # more than a register
        "for i < 4: D.u8[i] = MEM.u8[i]",
        "for i < 4:\n  D.u8[i] = S0.u8[i]\n  S1.u8[i] = 0",
        "for i < 4: D.u8[i] = popcount(S0.u8[i])",
    ],
)
def test_other_loops_are_unrolled(text: str) -> None:
    assert rows_of(text) is None
    assert rows_of("for i < 4: D.u8[i] = S0.u8[i] + 1") is not None
