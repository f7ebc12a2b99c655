"""Every mnemonic of the four CDNA and Vega targets is documented, agrees with the tables, and reads as it should."""

import re
from functools import cache
from pathlib import Path

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import Entry

TARGETS = ("gfx900", "gfx906", "gfx908", "gfx90a")
ENTRIES = tuple(sorted(documentation.mnemonics()))
CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
SUMMARY = re.compile(r"[A-Z][^\n]*\.")
BLEMISH = re.compile(r"[{}]|  | [.,;]|\.\.|<[a-z]")
STATE = {"scc": "SCC", "m0": "M0", "exec": "EXEC"}

MODIFIERS_OF_GFX9 = """
    offset offset0 offset1 offen idxen off glc slc lds gds tfe lwe format dfmt nfmt dmask unorm da r128 a16 d16
    op_sel op_sel_hi neg_lo neg_hi neg abs sext clamp omod mul div high
    quad_perm row_shl row_shr row_ror wave_shl wave_shr wave_rol wave_ror row_mirror row_half_mirror row_bcast
    row_newbcast row_mask bank_mask bound_ctrl dst_sel dst_unused src0_sel src1_sel cbsz abid blgp vm done compr
    vmcnt expcnt lgkmcnt hwreg sendmsg swizzle gpr_idx
"""

# What LLVM does not model, or models for its own purposes: not a mistake of either.
WRITES_BEYOND_LLVM = {"s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join", "s_setvskip"}
UNCOUNTED_BY_LLVM = {"s_sendmsg", "s_sendmsghalt", "s_atc_probe", "s_atc_probe_buffer"}
COUNTED_ONLY_BY_LLVM = {"buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_invl2"}


def entry_of(mnemonic: str) -> Entry:
    entry = documentation.entry(mnemonic)
    assert entry is not None, f"{mnemonic} has no entry"
    return entry


@cache
def forms_of(mnemonic: str) -> tuple[isa.Form, ...]:
    """The forms of `mnemonic` on all four targets."""
    return tuple(form for target in TARGETS for form in isa.load_target(target).forms(mnemonic))


def goes_to_lds(form: isa.Form) -> bool:
    """Whether the form is that of a load with the `lds` keyword."""
    return "lds" in {slot.text for slot in form.slots}


def corpus_mnemonics() -> list[str]:
    """The mnemonics of the four targets that stand at the start of a statement anywhere in the corpus."""
    known = {name for target in TARGETS for name in isa.load_target(target).mnemonics}
    first_word = re.compile(r"^\s*(?:\w+:\s*)?([a-z]\w+)", re.MULTILINE)
    found = set()
    for path in CORPUS.rglob("*"):
        if path.suffix in (".s", ".inc"):
            words = first_word.findall(path.read_text(encoding="utf-8", errors="replace"))
            found |= {re.sub(r"_(e32|e64|dpp|sdwa)$", "", word) for word in words}
    return sorted(found & known)


@pytest.mark.parametrize("target", TARGETS)
def test_every_mnemonic_of_the_target_has_an_entry(target: str) -> None:
    missing = [name for name in isa.load_target(target).mnemonics if documentation.entry(name) is None]
    assert missing == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real kernels is not beside the repository")
def test_every_mnemonic_of_the_corpus_has_an_entry() -> None:
    mnemonics = corpus_mnemonics()
    assert len(mnemonics) > 150
    assert [name for name in mnemonics if documentation.entry(name) is None] == []


def test_no_entry_without_an_instruction() -> None:
    assert [name for name in ENTRIES if not isa.targets_with(name)] == []


def test_no_mnemonic_is_documented_twice() -> None:
    assert len(set(ENTRIES)) == len(ENTRIES)


@pytest.mark.parametrize("suffix", ["", "_e32", "_e64", "_dpp", "_sdwa"])
def test_encoding_suffix_does_not_matter(suffix: str) -> None:
    assert documentation.entry("v_add_f32" + suffix) == entry_of("v_add_f32")


@pytest.mark.parametrize("name", ["", "s_", "v_add", "v_add_f32_e16", "ds_read", "nonsense", "exports"])
def test_unknown_mnemonic_has_no_entry(name: str) -> None:
    assert documentation.entry(name) is None


def test_summary_is_one_sentence() -> None:
    summaries = {name: entry_of(name).summary for name in ENTRIES}
    assert {name: text for name, text in summaries.items() if not SUMMARY.fullmatch(text) or ". " in text} == {}


def test_text_has_no_gaps() -> None:
    texts = {(name, text) for name in ENTRIES for text in (entry_of(name).summary, *entry_of(name).notes)}
    assert {(name, text) for name, text in texts if not text.endswith(".") or BLEMISH.search(text)} == set()


def test_every_entry_is_complete() -> None:
    assert [name for name in ENTRIES if not (entry_of(name).operation and entry_of(name).family)] == []
    assert [name for name in ENTRIES if len(set(entry_of(name).notes)) != len(entry_of(name).notes)] == []


def test_written_state_agrees_with_the_tables() -> None:
    for mnemonic in sorted(set(ENTRIES) - WRITES_BEYOND_LLVM):
        defs = {register for form in forms_of(mnemonic) for register in form.defs}
        written = set(entry_of(mnemonic).writes) & set(STATE.values())
        assert (mnemonic, {STATE[name] for name in STATE if name in defs}) == (mnemonic, written)


def test_scc_is_read_where_the_tables_say_so() -> None:
    reads = {name for name in ENTRIES if any("scc" in form.uses for form in forms_of(name))}
    assert {name for name in ENTRIES if "SCC" in entry_of(name).reads} == reads


@pytest.mark.parametrize(("flag", "counter"), [("VM_CNT", "vmcnt"), ("LGKM_CNT", "lgkmcnt")])
def test_counters_agree_with_the_tables(flag: str, counter: str) -> None:
    # A load to LDS has the flags of both counters in LLVM, but vmcnt alone counts it.
    names = set(ENTRIES) - UNCOUNTED_BY_LLVM - COUNTED_ONLY_BY_LLVM - {"buffer_store_lds_dword"}
    counted = {name for name in names if any(flag in form.flags and not goes_to_lds(form) for form in forms_of(name))}
    assert {name for name in names if counter in entry_of(name).counters} == counted


@pytest.mark.parametrize(
    ("mnemonic", "line"),
    [
        ("v_lshlrev_b32", "D.b32 = S1.b32 << S0[4:0]"),
        ("v_subrev_f32", "D.f32 = S1.f32 - S0.f32"),
        ("v_mac_f32", "D.f32 = S0.f32 * S1.f32 + D.f32"),
        ("v_addc_co_u32", "SDST[lane] = u64(S0.u32) + u64(S1.u32) + S2[lane] >= 2 ** 32"),
        ("v_cndmask_b32", "D.b32 = S2[lane] ? S1.b32 : S0.b32"),
        ("s_andn2_b64", "D.b64 = S0 & ~S1"),
        ("s_bfe_u32", "D.u32 = (S0.u32 >> S1[4:0]) & ((1 << S1[22:16]) - 1)"),
        ("s_lshl_b64", "D.b64 = S0.b64 << S1[5:0]"),
        ("ds_read2_b32", "D.b32[1] = LDS.b32[ADDR.u32 + OFFSET1 * 4]"),
        ("ds_write2st64_b64", "LDS.b64[ADDR.u32 + OFFSET0 * 512] = DATA0.b64"),
        ("ds_cmpst_rtn_b32", "if old == DATA0.b32: LDS.b32[ADDR.u32 + OFFSET] = DATA1.b32"),
        ("global_atomic_cmpswap", "if old == DATA.b32[1]: MEM.b32[a] = DATA.b32[0]"),
        ("buffer_atomic_umax_x2", "MEM.u64[a] = max(old, value)"),
        ("v_mfma_f32_16x16x4f16", "for b < 4: for i < 16: for j < 16:"),
        ("v_cmp_nge_f64", "D[lane] = !(S0.f64 >= S1.f64)"),
        ("v_madmk_f32", "D.f32 = S0.f32 * LITERAL.f32 + S1.f32"),
        ("v_alignbit_b32", "D.b32 = concat(S0.b32, S1.b32) >> S2[4:0]"),
    ],
)
def test_operation(mnemonic: str, line: str) -> None:
    assert line in entry_of(mnemonic).operation.splitlines()


def test_atomic_reads_back_only_with_glc() -> None:
    assert "if GLC: D.u32 = old" in entry_of("buffer_atomic_add").operation


@pytest.mark.parametrize("name", documentation.names("modifiers"))
def test_modifier(name: str) -> None:
    entry = documentation.modifier(name)
    assert entry is not None
    assert entry.name == name
    assert name in entry.syntax or name in ("abs", "neg", "omod")
    assert SUMMARY.fullmatch(entry.summary)
    assert all(note.endswith(".") for note in entry.notes)


@pytest.mark.parametrize("name", MODIFIERS_OF_GFX9.split())
def test_modifier_of_gfx9_is_documented(name: str) -> None:
    assert documentation.modifier(name) is not None


@pytest.mark.parametrize("name", documentation.names("registers"))
def test_special_register(name: str) -> None:
    entry = documentation.special_register(name)
    assert entry is not None
    assert entry.bits in (1, 32, 64)
    assert SUMMARY.fullmatch(entry.summary)


@pytest.mark.parametrize("name", documentation.names("hwregs"))
def test_hardware_register(name: str) -> None:
    entry = documentation.hwreg(f"HW_REG_{name}")
    assert entry == documentation.hwreg(name)
    assert entry is not None
    taken: set[int] = set()
    for field in entry.fields:
        bits = set(range(field.low, field.high + 1))
        assert bits
        assert bits <= set(range(entry.bits))
        assert not bits & taken
        taken |= bits


@pytest.mark.parametrize("name", documentation.names("messages"))
def test_message(name: str) -> None:
    entry = documentation.message(name)
    assert entry is not None
    assert 0 <= entry.number < 16
    assert SUMMARY.fullmatch(entry.summary)


def test_message_prefix_does_not_matter() -> None:
    with_prefix, without = documentation.message("MSG_INTERRUPT"), documentation.message("INTERRUPT")
    assert with_prefix is not None
    assert without is not None
    assert with_prefix.number == without.number == 1


def test_unknown_names_have_no_entry() -> None:
    assert documentation.modifier("nonsense") is None
    assert documentation.special_register("s7") is None
    assert documentation.hwreg("HW_REG_NONSENSE") is None
    assert documentation.message("MSG_NONSENSE") is None
