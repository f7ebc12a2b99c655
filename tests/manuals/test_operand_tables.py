"""Fields of encodings, codes and types of sources, and what can use DPP and SDWA, on tables of our own."""

import pytest

from gcn_lsp import isa
from tests.manuals import codes, layouts, legality, precision, result_modifiers, source_types
from tests.manuals.reading import Listed

FIELDS = """
### **1.1.1. {encoding}**
Table 3. {encoding} Fields

| Field Name | Bits | Format or Description |
|------------|------|-----------------------|
| {name} | {bits} | {text} |
"""


def of_field(encoding: str, name: str, bits: str, target: str, text: str = "Text.") -> "tuple[bool, int | str]":
    """Whether the only field of a table is compared, and the bits that we have; empty if they are the same."""
    (field,) = layouts.fields(FIELDS.format(encoding=encoding, name=name, bits=bits, text=text))
    if not layouts.is_compared(field):
        return False, ""
    loaded = isa.load_target(target)
    found = layouts.compare(field, loaded, layouts.of_encoding(encoding, loaded))
    return True, found.ours if found else ""


@pytest.mark.parametrize(
    ("encoding", "name", "bits", "target", "text"),
    [
        ("SOP2", "SDST", "[22:16]", "gfx900", "Text."),
        ("SOP2", "OP", "[29:23]", "gfx900", "Text."),
        ("SOP2", "ENCODING", "[31:30]", "gfx900", "Must be: 10"),
        ("VOP1", "SRC0", "[8:0] 0-105 106", "gfx1100", "Text."),
        ("VOP3A", "OPSEL", "[14:11]", "gfx900", "Text."),
        ("VOP3B", "SDST", "[14:8]", "gfx900", "Text."),
        ("VOP3P", "OPSEL_HI", "[60:59]", "gfx1100", "Text."),
        ("VOP3P", "ENCODING", "[31:23]", "gfx90a", "Must be: 110100111"),
        ("MUBUF", "OFFEN", "[12]", "gfx900", "Text."),
        ("MUBUF", "OFFEN", "[54]", "gfx1100", "Text."),
        ("FLAT", "SEG", "[15:14]", "gfx900", "Text."),
        ("FLAT", "SVE", "[55]", "gfx1100", "Text."),
        ("VOPD", "VDSTY", "[55:49]", "gfx1100", "Text."),
        ("DPP8", "LANE_SEL7", "[63:61]", "gfx1030", "Text."),
    ],
)
def test_field_is_where_it_is(encoding: str, name: str, bits: str, target: str, text: str) -> None:
    assert of_field(encoding, name, bits, target, text) == (True, "")


@pytest.mark.parametrize(
    ("encoding", "name", "bits", "target", "ours", "text"),
    [
        ("SOP2", "SDST", "[21:15]", "gfx900", "sdst[0] in [16]", "Text."),
        ("SOP2", "ENCODING", "[31:30]", "gfx900", "10", "Must be: 11"),
        ("SOP2", "OP", "[28:22]", "gfx900", "not constant", "Text."),
        ("MUBUF", "OFFEN", "[13]", "gfx900", "0, 1", "Text."),
        ("SMEM", "NV", "[15]", "gfx900", "unknown", "Text."),
        ("VIMAGE", "OP", "[21:14]", "gfx900", "no forms", "Text."),
    ],
)
def test_field_is_elsewhere(encoding: str, name: str, bits: str, target: str, ours: str, text: str) -> None:
    is_compared, found = of_field(encoding, name, bits, target, text)
    assert is_compared
    assert str(found).startswith(ours)


def test_the_second_half_of_an_encoding_is_counted_from_its_middle() -> None:
    (field,) = layouts.fields(FIELDS.format(encoding="VOP3PX2", name="VDST", bits="[7:0]", text="Text."))
    assert (field.high, field.low) == (71, 64)


def test_a_field_without_a_place_is_not_compared() -> None:
    assert of_field("FLAT", "reserved", "[25]", "gfx900") == (False, "")


CODES = """
# <span></span>**6.2. {title}**
| Code                      | Meaning                     |
|---------------------------|-----------------------------|
| {code} | {meaning} |
# **6.3. Another**
| 1 | M0 |
"""


def of_codes(code: str, meaning: str, target: str, title: str = "Scalar ALU Operands") -> "list[tuple[int, str, str]]":
    """Each code with the manual's and our meaning."""
    loaded = isa.load_target(target)
    found = codes.codes(CODES.format(title=title, code=code, meaning=meaning))
    return [(each.number, each.meaning, codes.ours(each, loaded)) for each in found]


@pytest.mark.parametrize(
    ("code", "meaning", "target", "title"),
    [
        ("Scalar Dest 0-3", "SGPR 0 .. 3 One DWORD each.", "gfx1100", "Scalar ALU Operands"),
        ("108-110", "TTMP0 to TTMP15", "gfx900", "Scalar ALU Operands"),
        ("102", "FLAT_SCR_LO", "gfx900", "Scalar ALU Operands"),
        ("193-208", "int -1 .. -16", "gfx1100", "Operands"),
        ("129-192", "int 1 .. 64", "gfx1100", "Operands"),
        ("248", "1.0 / (2 * PI)", "gfx900", "Scalar ALU Operands"),
        ("209-212", "Reserved", "gfx1100", "Operands"),
        ("233", "DPP8 8-lane DPP", "gfx1100", "Operands"),
        ("254", "Literal constant64", "gfx1250", "Scalar ALU Operands"),
        ("255", "Literal constant32", "gfx1100", "Operands"),
        ("256 - 511", "VGPR 0 .. 255", "gfx1100", "Operands"),
        ("Code 0-105 (8 (7 bits) 106 107", "Meaning SGPR 0 .. 105 VCC_LO VCC_HI", "gfx1100", "Operands"),
    ],
)
def test_code_has_the_same_meaning(code: str, meaning: str, target: str, title: str) -> None:
    found = of_codes(code, meaning, target, title)
    assert found
    assert all(theirs == ours for _, theirs, ours in found), found


def test_code_has_another_meaning() -> None:
    assert of_codes("124", "M0", "gfx1100") == [(124, "m0", "null")]
    assert of_codes("106", "Reserved", "gfx1100") == [(106, "", "vcc_lo")]


@pytest.mark.parametrize(
    ("name", "code", "target", "found"),
    [
        ("v_add_f32", "D0.f32 = S0.f32 + S1.f32", "gfx1100", []),
        ("v_add_f32", "D0.f32 = S0.f32 + S1.i32", "gfx1100", [("S1", "int", "f32")]),
        ("s_add_u32", "D0.u32 = S0.u32 + S1.u32", "gfx1100", []),
        ("v_and_b32", "D0.f32 = S0.f32 & S1.u32", "gfx1100", [("S0", "f32", "int")]),
        ("s_ceil_f16", "D0.f16 = ceil(S0.f16)", "gfx1200", []),
        ("s_ceil_f16", "D0.f32 = ceil(S0.f32)", "gfx1200", [("S0", "f32", "f16")]),
        ("v_ldexp_f16", "D0.f16 = S0.f16 * 2.0 ** S1.i16", "gfx900", []),
        ("v_pk_add_f16", "D0[15 : 0].f16 = S0[15 : 0].f16 + S1[15 : 0].f16", "gfx1100", []),
        ("v_cvt_f32_fp8", "D0.f32 = fp8_to_f32(S0.fp8)", "gfx942", []),
    ],
)
def test_types_of_sources(name: str, code: str, target: str, found: "list[tuple[str, str, str]]") -> None:
    entry, loaded = Listed(name, 0, "", code, 1), isa.load_target(target)
    assert source_types.is_compared(entry, loaded)
    assert list(source_types.compare(entry, loaded)) == found


LISTS = """
The following instructions cannot use DPP:

- V\\_MOV\\_B32
- V\\_C\\*\\_F64

## **1.2. SDWA**

The following instructions cannot use SDWA:

- V\\_FMAC\\_F32
"""


def test_legality() -> None:
    names = {"v_mov_b32", "v_ceil_f64", "v_add_f32", "v_fmac_f32", "v_fma_f32"}
    found = legality.compare(LISTS, isa.load_target("gfx906"), names)
    assert {(each.name, each.how): (each.theirs, each.ours) for each in found} == {
        ("v_mov_b32", "DPP"): (False, True),
        ("v_ceil_f64", "DPP"): (False, False),
        ("v_add_f32", "DPP"): (True, True),
        ("v_fmac_f32", "DPP"): (True, True),
        ("v_mov_b32", "SDWA"): (True, True),
        ("v_ceil_f64", "SDWA"): (True, False),
        ("v_add_f32", "SDWA"): (True, True),
        ("v_fmac_f32", "SDWA"): (False, False),
    }


MODIFIERS = """
The clamp bit is not supported for (ignored):

| V\\_ALIGN*          | Min/Max/Med on integers |
|----------------------|-------------------------|
| V\\_CMP on integers |                         |

#### **V\\_ADD\\_NC\\_U16 1**
Supports saturation (signed 16-bit integer domain).
#### **V\\_MOV\\_B32 2**
Input and output modifiers not supported.
OMOD is allowed regardless of MODE.denorm setting.
"""


def test_result_modifiers() -> None:
    names = ("v_alignbit_b32", "v_max_i32", "v_max3_i16", "v_add_nc_u16", "v_cmp_lt_u32", "v_cmp_lt_f32")
    found = result_modifiers.compare(MODIFIERS, isa.load_target("gfx1100"), names)
    assert [(each.name, each.what, each.theirs, each.ours) for each in found] == [
        ("v_add_f32", "applies omod whatever MODE says", "1", ""),
        ("v_alignbit_b32", "clamp ignored", "1", "1"),
        ("v_max_i32", "clamp ignored", "1", "1"),
        ("v_max3_i16", "clamp ignored", "1", ""),
        ("v_cmp_lt_u32", "clamp ignored", "1", "1"),
        ("v_add_nc_u16", "saturates", "i16", "u16"),
        ("v_mov_b32", "omod ignored", "1", "1"),
        ("v_mov_b32", "clamp ignored", "1", "1"),
    ]


PRECISION = """
#### **V\\_RCP\\_F16 1**
It is a function. {ulp}ULP accuracy.
## **Notes**
Generation of the INEXACT exception is controlled by the CLAMP bit.
# **1.2. Another**
Some 7ULP accuracy.
| 2 | V\\_RCP\\_F32 | D.f = 1.0 / S0.f with 1ULP accuracy. Denormals are flushed. |
"""


def test_precision() -> None:
    found = list(precision.compare(PRECISION.format(ulp="0.7"), isa.load_target("gfx1100")))
    assert [(each.name, each.what, each.theirs, each.ours) for each in found] == [
        ("v_rcp_f16", "ULP", "0.7", "0.51"),
        ("v_rcp_f16", "INEXACT", "1", ""),
        ("v_rcp_f32", "ULP", "1", "1"),
        ("v_rcp_f32", "denormals flushed", "1", "1"),
    ]
