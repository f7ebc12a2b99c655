import pytest

from gcn_lsp import isa
from gcn_lsp.instruction import slots
from gcn_lsp.instruction.rejection import wording
from tests.instruction.support import code_of


def rule(mnemonic: str, slot: str, variant: str = "Default", cpu: str = "gfx900") -> slots.Rule:
    target = isa.load_target(cpu)
    form = next(form for form in target.forms(mnemonic) if form.variant == variant)
    return slots.rule_for(next(found for found in form.slots if found.name == slot), target)


@pytest.mark.parametrize(
    ("mnemonic", "slot", "variant", "words"),
    [
        ("v_add_f32", "vdst", "Default", "a VGPR"),
        ("v_add_f32", "src0", "Default", "a VGPR or SGPR, an inline constant or a literal"),
        ("s_mov_b64", "sdst", "Default", "a tuple of 2 SGPRs"),
        ("s_movk_i32", "simm16", "Default", "an integer of 16 bits"),
        ("s_getreg_b32", "simm16", "Default", "hwreg(...) or an integer"),
        ("v_mad_mix_f32", "src0", "VOP3", "a VGPR or SGPR, an inline constant or a literal"),
    ],
)
def test_slots_in_words(mnemonic: str, slot: str, variant: str, words: str) -> None:
    assert wording.describe(rule(mnemonic, slot, variant)) == words


def test_types_of_sources() -> None:
    assert rule("v_add_f16", "src0").inline == "f16"
    assert rule("v_add_u16", "src0").literals == ("i16",)
    assert rule("s_and_b64", "src0").inline == "i64"
    assert not rule("buffer_load_dword", "soffset").literals


def test_source_modifiers() -> None:
    assert rule("v_add_f32", "src0", "VOP3").source_modifiers == slots.FLOAT_MODIFIERS
    assert rule("v_add_u32", "src0", "SDWA9").source_modifiers == slots.SEXT_MODIFIER
    assert rule("v_and_b32", "src0", "VOP3").source_modifiers == slots.NO_MODIFIERS


def test_every_slot_of_every_target_has_a_rule() -> None:
    for cpu in isa.target_names()[::7]:
        target = isa.load_target(cpu)
        for mnemonic in target.mnemonics[::11]:
            for form in target.forms(mnemonic):
                for slot in form.slots:
                    found = slots.rule_for(slot, target)
                    assert wording.describe(found)


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx1030", "s_load_dwordx16 null, s[56:57], 0x0"),
        ("gfx1100", "s_buffer_load_b512 null, s[56:59], 0x0"),
        ("gfx1200", "s_load_b96 null, s[56:57], 0x0"),
    ],
)
def test_null_takes_the_place_of_results_of_any_width(cpu: str, line: str) -> None:
    assert code_of(line, cpu)


@pytest.mark.parametrize("mask", ["s0", "s[0:1]"])
@pytest.mark.parametrize("cpu", ["gfx1010:+wavefrontsize32,+wavefrontsize64", "gfx1250:+wavefrontsize64"])
def test_masks_of_both_wave_sizes(cpu: str, mask: str) -> None:
    assert code_of(f"v_cndmask_b32_e64 v1, v2, v3, {mask}", cpu)
    assert code_of(f"v_cmp_eq_u32_e64 {mask}, v1, v2", cpu)
