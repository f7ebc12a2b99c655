"""Matrix instructions: the sum at once is the sum in steps, bit by bit."""

import numpy as np
import pytest

from gcn_lsp import isa
from gcn_lsp.machine.matrices import MatrixCode
from gcn_lsp.machine.operation import Inexecutable, bind
from gcn_lsp.machine.registers import Words
from tests.instruction.support import assemble
from tests.machine.test_operation import executed

VALUES = ("bits", "singles", "halves", "small halves", "small singles")
PLAIN = [
    ("gfx90a", "v_mfma_f32_32x32x8f16 v[0:15], v[32:33], v[34:35], v[0:15]"),
    ("gfx90a", "v_mfma_f32_32x32x4bf16_1k v[0:31], v[32:33], v[34:35], v[0:31]"),
    ("gfx90a", "v_mfma_f32_4x4x1f32 v[0:3], v32, v34, v[0:3] cbsz:2 abid:1"),
    ("gfx90a", "v_mfma_f64_16x16x4f64 v[0:7], v[32:33], v[34:35], v[0:7]"),
    ("gfx942", "v_mfma_f32_32x32x16_fp8_bf8 v[0:15], v[32:33], v[34:35], v[0:15]"),
    ("gfx1100", "v_wmma_f32_16x16x16_f16 v[0:7], v[32:39], v[40:47], v[0:7]"),
]
INTEGERS = [
    ("gfx90a", "v_mfma_i32_32x32x8i8 v[0:15], v32, v34, v[0:15]"),
    ("gfx1100", "v_wmma_i32_16x16x16_iu8 v[0:7], v[32:35], v[40:43], v[0:7] clamp"),
    ("gfx1100", "v_wmma_i32_16x16x16_iu4 v[0:7], v[32:33], v[40:41], v[0:7] neg_lo:[1,0,0]"),
]


def words(kind: str, shape: tuple[int, int]) -> Words:
    source = np.random.default_rng(len(kind))
    if kind == "bits":
        return source.integers(0, 1 << 32, shape, dtype=np.uint64).astype(np.uint32)
    if "singles" in kind:
        values = source.standard_normal(shape)
        if kind.startswith("small"):
            values *= 10.0 ** source.integers(-40, -30, shape)
        return values.astype(np.float32).view(np.uint32)
    values = source.standard_normal((*shape, 2)) * (1e-4 if kind.startswith("small") else 1)
    found: Words = values.astype(np.float16).view(np.uint32)[..., 0]
    return found


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(("target", "text"), PLAIN + INTEGERS)
def test_the_sum_at_once(target: str, text: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    form = assemble(text, target).form
    assert form is not None
    lanes = 64 if target.startswith("gfx9") else 32
    fields = {"cbsz": 2, "abid": 1} if "cbsz" in text else {"clamp": 1} if "clamp" in text else {}
    code = MatrixCode(form, isa.load_target(target), lanes, fields)
    shapes = [(each.registers, lanes) for each in (code.a, code.b, code.d, code.d)]
    a, b, c, old = (words(kind, shape) for shape in shapes)
    with np.errstate(all="ignore"):
        at_once = code.execute(a, b, c, None, old)
        monkeypatch.setattr(code, "_whole_sum", lambda *_: None)
        monkeypatch.setattr(code, "_plain_sum", lambda *_: None)
        assert (at_once == code.execute(a, b, c, None, old)).all()


@pytest.mark.parametrize(("target", "text"), PLAIN + INTEGERS)
def test_ordinary_values_are_summed_at_once(target: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    form = assemble(text, target).form
    assert form is not None
    lanes = 64 if target.startswith("gfx9") else 32
    code = MatrixCode(form, isa.load_target(target), lanes, {})
    a, b, c = (np.full((each.registers, lanes), 0x3C003C00, np.uint32) for each in (code.a, code.b, code.d))
    monkeypatch.setattr(code, "_added", lambda *_: pytest.fail("it adds in steps"))
    code.execute(a, b, c, None, c)


@pytest.mark.parametrize(
    ("signs", "before", "after"),
    [
        ("", -2.0, -2.0),
        (" neg_lo:[0,0,1]", 2.0, -2.0),
        (" neg_hi:[0,0,1]", -2.0, 2.0),
        (" neg_lo:[0,0,1] neg_hi:[0,0,1]", -2.0, -2.0),
    ],
)
def test_the_sign_of_what_a_wmma_adds_to(signs: str, before: float, after: float) -> None:
    text = f"v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]{signs}"
    bits = int(np.float32(before).view(np.uint32))
    wave = executed("gfx1100", text, 32, **{f"v{number}": bits for number in range(8)})  # the factors are 0
    assert np.unique(wave.vgprs[:8].view(np.float32)).tolist() == [after]


def test_no_place_is_given_where_no_document_says_it() -> None:
    instruction = assemble("v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]", "gfx1170")
    assert instruction.code
    assert isinstance(bind(instruction, isa.load_target("gfx1170")), Inexecutable)
