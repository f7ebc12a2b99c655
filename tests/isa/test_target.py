"""Targets: names, features, forms, registers."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.target import NICKNAMES


def only(mnemonic: str, target: str, variant: str) -> isa.Form:
    (form,) = [form for form in isa.load_target(target).forms(mnemonic) if form.variant == variant]
    return form


def test_every_processor_is_there() -> None:
    names = isa.target_names()
    assert len(names) == 61
    assert {"gfx600", "gfx90a", "gfx1251", "gfx9-4-generic"} <= set(names)
    assert names[0] == "gfx600"


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("gfx90a", "gfx90a"),
        ("GFX906", "gfx906"),
        ("gfx90a:sramecc+:xnack-", "gfx90a"),
        ("amdgcn-amd-amdhsa--gfx908:xnack-", "gfx908"),
        ("amdgcn-amd-amdhsa--gfx9-4-generic", "gfx9-4-generic"),
        ("tahiti", "gfx600"),
        ("hainan", "gfx602"),
        ("vega10", "gfx900"),
        ("gfx999", None),
        ("", None),
    ],
)
def test_names_of_targets(name: str, target: str | None) -> None:
    assert isa.resolve_target(name) == target


# Chips by target: code names as in the drivers (amdgpu, Mesa), products of the Instinct series, families of LLVM.
CHIPS = {
    "gfx900": "vega10",
    "gfx902": "raven",
    "gfx904": "vega12",
    "gfx906": "vega20 mi50 mi60",
    "gfx908": "arcturus mi100",
    "gfx909": "raven2",
    "gfx90a": "aldebaran mi200 mi210 mi250 mi250x",
    "gfx90c": "renoir",
    "gfx942": "mi300 mi300a mi300x mi325x",
    "gfx950": "mi350 mi355x",
    "gfx1010": "navi10",
    "gfx1011": "navi12",
    "gfx1012": "navi14",
    "gfx1030": "navi21",
    "gfx1031": "navi22",
    "gfx1032": "navi23",
    "gfx1034": "navi24",
    "gfx1100": "navi31",
    "gfx1101": "navi32",
    "gfx1102": "navi33",
    "gfx1170": "rdna4m",
    "gfx1200": "navi44",
    "gfx1201": "navi48",
    "gfx1310": "rdna5",
}


def test_nicknames_are_those_of_the_chips() -> None:
    expected = {(chip, target) for target, chips in CHIPS.items() for chip in chips.split()}
    assert set(NICKNAMES.items()) == expected
    assert all(isa.resolve_target(chip) == target for chip, target in expected)


def test_an_unknown_target_or_feature_is_an_error() -> None:
    with pytest.raises(ValueError, match="gfx999"):
        isa.load_target("gfx999")
    with pytest.raises(ValueError, match="teapot"):
        isa.load_target("gfx900", "+teapot")


@pytest.mark.parametrize(
    ("name", "generation", "lanes"),
    [("gfx600", "GFX6", 64), ("gfx90a", "GFX9", 64), ("gfx1010", "GFX10", 32), ("gfx1250", "GFX12", 32)],
)
def test_generation_and_wave_size(name: str, generation: str, lanes: int) -> None:
    target = isa.load_target(name)
    assert (target.generation, target.wavefront_size) == (generation, lanes)


def test_with_both_wave_sizes_the_instructions_of_either_are_taken() -> None:
    for name, mattr, lanes in (
        ("gfx1010", "+wavefrontsize32,+wavefrontsize64", 32),
        ("gfx900", "+WavefrontSize32", 64),
    ):
        target = isa.load_target(name, mattr)
        assert target.wavefront_size == lanes
        assert target.has("FeatureAssemblerPermissiveWavesize")


def test_mattr_switches_features() -> None:
    assert not isa.load_target("gfx90a").has("FeatureXNACK")
    assert isa.load_target("gfx90a", "+xnack").has("FeatureXNACK")
    wide = isa.load_target("gfx1030", "-wavefrontsize32,+wavefrontsize64")
    assert wide.wavefront_size == 64
    names = {form.name for form in wide.forms("v_cndmask_b32")}
    assert "V_CNDMASK_B32_sdwa_w64_gfx10" in names
    assert "V_CNDMASK_B32_sdwa_w32_gfx10" not in names


def test_encodings_of_one_mnemonic() -> None:
    variants = [form.variant for form in isa.load_target("gfx900").forms("v_add_f32")]
    assert variants == ["Default", "VOP3", "SDWA9", "DPP"]


def test_a_form_in_detail() -> None:
    form = only("v_add_f32", "gfx900", "VOP3")
    assert (form.name, form.family, form.size) == ("V_ADD_F32_e64_vi", "VOP3", 8)
    assert [(slot.role, slot.name, slot.required) for slot in form.slots] == [
        ("operand", "vdst", True),
        ("operand", "src0", True),
        ("operand", "src1", True),
        ("modifier", "clamp", False),
        ("modifier", "omod", False),
    ]
    assert form.slots[0].is_def
    source = form.slots[1]
    assert source.kind is not None
    assert source.modifiers is not None
    assert (source.kind.type, source.modifiers.name) == ("OPERAND_REG_IMM_FP32", "FP32InputMods")
    assert form.fixed == 0xD1010000
    assert form.field("src0") == isa.Field("src0", (isa.BitPiece(0, 32, 9),))
    assert form.uses == ("mode", "exec")
    assert form.counters == ()


def test_counters_and_memory() -> None:
    forms = {form.name: form for form in isa.load_target("gfx90a").forms("global_load_dword")}
    load = forms["GLOBAL_LOAD_DWORD_vi"]
    assert load.family == "GLOBAL"
    assert load.counters == ("VM_CNT",)
    assert load.may_load
    assert not load.may_store


def test_matrix_instructions_keep_their_flag() -> None:
    forms = isa.load_target("gfx90a").forms("v_mfma_f32_32x32x1f32") or isa.load_target("gfx90a").forms(
        "v_mfma_f32_32x32x1_f32"
    )
    assert {form.family for form in forms} == {"MAI"}
    assert all("IsMAI" in form.flags for form in forms)


def test_vector_tuples_are_even_on_gfx90a_only() -> None:
    def destination(target: str) -> isa.RegisterClass:
        form = isa.load_target(target).forms("global_load_dwordx2")[0]
        assert form.slots[0].kind is not None
        registers = form.slots[0].kind.registers
        assert registers is not None
        return registers

    assert destination("gfx900").holds("v", 1, 2)
    assert not destination("gfx90a").holds("v", 1, 2)
    assert destination("gfx90a").holds("v", 2, 2)
    assert destination("gfx90a").holds("a", 2, 2)
    assert not destination("gfx908").holds("a", 2, 2)


def test_aliases_are_followed() -> None:
    target = isa.load_target("gfx1200")
    assert {form.mnemonic for form in target.forms("buffer_load_dword")} == {"buffer_load_b32"}
    assert "buffer_load_dword" in target.mnemonics


def test_implicit_vcc_may_be_written_or_not() -> None:
    syntaxes = {form.syntax for form in isa.load_target("gfx900").forms("v_cmp_eq_f32") if form.variant == "Default"}
    assert syntaxes == {"$src0, $src1", "vcc, $src0, $src1"}


@pytest.mark.parametrize(
    ("target", "name", "number"),
    [
        ("gfx900", "m0", 124),
        ("gfx1100", "m0", 125),
        ("gfx900", "flat_scratch", 102),
        ("gfx700", "flat_scratch", 104),
        ("gfx900", "xnack_mask", 104),
        ("gfx906", "shared_base", 235),
        ("gfx908", "src_lds_direct", 254),
    ],
)
def test_special_registers(target: str, name: str, number: int) -> None:
    assert isa.load_target(target).registers[name].number == number


@pytest.mark.parametrize(
    ("target", "name"), [("gfx90a", "lds_direct"), ("gfx900", "null"), ("gfx900", "tba"), ("gfx1030", "xnack_mask")]
)
def test_special_registers_that_a_target_lacks(target: str, name: str) -> None:
    assert name not in isa.load_target(target).registers


def test_targets_with_a_mnemonic() -> None:
    assert isa.targets_with("s_wait_loadcnt") == (
        *("gfx12-5-generic", "gfx12-generic", "gfx1200", "gfx1201", "gfx1250", "gfx1251"),
        *("gfx13-generic", "gfx1310"),
    )
    assert "gfx908" in isa.targets_with("v_mfma_f32_32x32x1f32")
    assert isa.targets_with("v_teapot") == ()


def test_the_nearest_mnemonic_comes_first() -> None:
    assert isa.nearest_mnemonics("v_ad_f32", isa.load_target("gfx900"))[0] == "v_add_f32"
    assert isa.nearest_mnemonics("zzzz", isa.load_target("gfx900")) == ()
