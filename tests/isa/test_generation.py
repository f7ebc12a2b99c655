"""Parts of the generator that need no dump: fields of encodings and names."""

from collections.abc import Mapping

import pytest

from gcn_lsp.isa.generation import encodings, meanings
from gcn_lsp.isa.generation.dump import DumpError
from gcn_lsp.isa.generation.forms import FormRow, Shape
from gcn_lsp.isa.generation.naming import Naming, label, short_label
from gcn_lsp.isa.tables import reader

TARGETS: Mapping[str, frozenset[str]] = {"gfx900": frozenset({"Old"}), "gfx1200": frozenset({"New"})}
SOP2: list[encodings.Bit] = [
    *(("src0", bit) for bit in range(8)),
    *(("src1", bit) for bit in range(1, 8)),
    None,
    *(("sdst", bit) for bit in range(7)),
    *(0, 1, 0, 1, 0, 0, 0),
    *(0, 1),
]


def form(mnemonic: str, record: str, feature: str, traits: str) -> FormRow:
    shape = Shape("SOP2", "Default", "", "", "", "", "", "", "")
    return FormRow(((feature,),), mnemonic, 0, record, shape, traits, "", "", "", False, 0)


def test_mnemonics_that_mean_one_instruction_and_those_that_mean_two() -> None:
    def encoded(mnemonic: str, pseudo: str, feature: str) -> FormRow:
        return form(mnemonic, "", feature, "")._replace(pseudo=pseudo)

    forms = (
        encoded("buffer_load_dword", "BUFFER_LOAD_DWORD_OFFEN", "Old"),
        encoded("buffer_load_b32", "BUFFER_LOAD_DWORD_VBUFFER_BOTHEN", "New"),
        encoded("v_add_u32", "V_ADD_CO_U32_e32", "Old"),
        encoded("v_add_u32", "V_ADD_U32_e64", "New"),
        encoded("s_nop", "S_NOP", "Old"),
        encoded("s_nop", "S_NOP", "New"),
    )
    assert meanings.rows(forms, (), TARGETS) == [
        ("BUFFER_LOAD_DWORD", "buffer_load_b32", ("gfx1200",)),
        ("BUFFER_LOAD_DWORD", "buffer_load_dword", ("gfx900",)),
        ("V_ADD_CO_U32", "v_add_u32", ("gfx900",)),
        ("V_ADD_U32", "v_add_u32", ("gfx1200",)),
    ]


def test_an_encoding_is_written_as_fields_with_the_opcode_apart() -> None:
    layout, opcode = encodings.written("S_X", {"DecoderNamespace": "GFX10"}, "SOP2", SOP2)
    assert (layout, opcode) == ("31..30=0x2 29..23=OP 22..16=sdst 15=? 14..8=src1[7..1] 7..0=src0", "10")
    assert reader.read_layout(layout).with_opcode(opcode) == encodings.number(SOP2)


def test_an_opcode_that_is_not_constant_is_an_error_that_names_the_record() -> None:
    with pytest.raises(DumpError, match=r"S_X: bits 29\.\.23 are not constant"):
        encodings.written("S_X", {"DecoderNamespace": "GFX10"}, "SOP2", [*SOP2[:23], *SOP2[:7], 0, 1])


def test_unused_sources_are_written_as_the_encoder_writes_them() -> None:
    bits: list[encodings.Bit] = [*[None] * 16, *[0] * 10, 1, 0, 1, 0, 1, 1, *[None] * 32]
    record = {"DecoderNamespace": "GFX10", "PostEncoderMethod": "postEncodeVOP3<1,0,0>"}
    assert encodings.written("V_X", record, "VOP3", bits, fills=True)[0] == (
        "63..59=? 58..50=?0x80 49..41=?0x80 40..32=? 31..26=0x35 25..16=OP 15..0=?"
    )
    assert "0x80" not in encodings.written("V_X", record | {"DecoderNamespace": "GFX9"}, "VOP3", bits, fills=True)[0]


def test_a_form_of_a_newer_target_takes_no_name() -> None:
    old = [form("s_b", "S_B_vi", "Old", "one"), form("s_c", "S_C_IMM_vi", "Old", "two")]
    new = [form("s_a", "S_A_gfx12", "New", "one"), form("s_a", "S_A_IMM_gfx12", "New", "three")]
    expected = {"one": "s_b.vi", "two": "s_c.imm_vi"}
    assert Naming(old, TARGETS).names(lambda row: row.traits, label) == expected
    assert Naming(old + new, TARGETS).names(lambda row: row.traits, label) == {**expected, "three": "s_a.imm_gfx12"}


def test_a_name_that_is_taken_gets_a_number() -> None:
    rows = [form("s_a", "S_A_vi", "Old", "one"), form("s_a", "S_A_gfx12", "New", "two")]
    assert Naming(rows, TARGETS).names(lambda row: row.traits, short_label) == {"one": "s_a", "two": "s_a.2"}
