"""The small hand-written tables: what they say without asking LLVM (see `test_against_llvm` for that)."""

import math
import struct

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import hazards
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.isa.modifiers import offsets, table
from gcn_lsp.isa.operands import formats, immediates, swizzle
from gcn_lsp.isa.waits import waitcnt

SIZES = {"fp16": ("<e", 2), "fp32": ("<f", 4), "fp64": ("<d", 8)}


@pytest.mark.parametrize(("value", "code"), [(0, 128), (64, 192), (65, None), (-1, 193), (-16, 208), (-17, None)])
def test_inline_integers(value: int, code: int | None) -> None:
    assert immediates.integer_code(value) == code


@pytest.mark.parametrize("kind", SIZES)
def test_inline_floats_are_the_same_values_in_every_type(kind: str) -> None:
    layout, size = SIZES[kind]
    values = {
        struct.unpack(layout, bits.to_bytes(size, "little"))[0]: c for bits, c in immediates.FLOAT_BITS[kind].items()
    }
    for value, code in immediates.FLOATS.items():
        assert values.pop(value) == code
    ((last, code),) = values.items()
    assert code == immediates.INV_2PI_CODE
    assert math.isclose(last, 1 / (2 * math.pi), rel_tol=1e-3)


def test_vmcnt_is_in_two_parts_on_gfx9() -> None:
    field = waitcnt.fields(isa.load_target("gfx900").features)["vmcnt"]
    assert field.maximum == 63
    assert field.placed(0b110101) == 0b11 << 14 | 0b0101
    assert field.taken(field.placed(37)) == 37


def test_counter_maxima_follow_the_generation() -> None:
    assert waitcnt.maxima(isa.load_target("gfx801").features) == {"vmcnt": 15, "expcnt": 7, "lgkmcnt": 15}
    assert "vscnt" in waitcnt.maxima(isa.load_target("gfx1030").features)
    assert "vmcnt" not in waitcnt.maxima(isa.load_target("gfx1200").features)


@pytest.mark.parametrize(
    ("target", "states"), [("gfx700", 8), ("gfx908", 16), ("gfx1100", 16), ("gfx1200", 16), ("gfx1250", 128)]
)
def test_wait_states_of_one_nop(target: str, states: int) -> None:
    """For gfx120x the RDNA4 document has seven bits in one place and four in another: four are certain."""
    assert hazards.nop_limit(isa.load_target(target).features) == states


def test_a_swizzle_mask() -> None:
    assert swizzle.mask_string("ppppi") == swizzle.bitmask(0x1F, 0, 1)
    assert swizzle.mask_string("00000") == 0
    assert swizzle.mask_string("ppp") is None
    assert swizzle.mask_string("ppppx") is None


def test_image_formats_have_the_numbers_of_the_generation() -> None:
    def number(name: str, target: str) -> "int | None":
        return formats.image_formats(isa.load_target(target).features).get(name)

    assert [number("BC1_UNORM", target) for target in ("gfx1030", "gfx1100", "gfx1200")] == [169, 109, 109]
    assert [number("GB_GR_UNORM", target) for target in ("gfx1030", "gfx1100")] == [147, 82]
    assert [number("6E4_FLOAT", target) for target in ("gfx1030", "gfx1100", "gfx1200")] == [131, None, 227]


def test_number_format_six_has_an_old_name() -> None:
    assert formats.number_formats(isa.load_target("gfx700").features)["BUF_NUM_FORMAT_SNORM_OGL"] == 6
    assert formats.number_formats(isa.load_target("gfx900").features)["BUF_NUM_FORMAT_RESERVED_6"] == 6


@pytest.mark.parametrize(
    ("target", "version"), [("gfx90a", (9, 0, 10)), ("gfx1251", (12, 5, 1)), ("gfx9-4-generic", (9, 4, 0))]
)
def test_versions(target: str, version: tuple[int, int, int]) -> None:
    assert predefined.version(target) == version


def test_cache_policy_has_other_names_on_gfx940() -> None:
    names = {target: set(table.modifiers(isa.load_target(target).features)) for target in ("gfx90a", "gfx942")}
    assert {"glc", "slc", "scc"} <= names["gfx90a"]
    assert {"sc0", "sc1", "nt"} <= names["gfx942"]
    assert not {"slc", "scc"} & names["gfx942"]


def test_offsets_of_flat_instructions() -> None:
    features = isa.load_target("gfx900").features
    assert offsets.offset_range("GLOBAL", features) == offsets.OffsetRange(-4096, 4095)
    assert offsets.offset_range("FLAT", features) == offsets.OffsetRange(0, 4095)
    assert offsets.offset_range("VOP3", features) is None
