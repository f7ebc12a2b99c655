"""Every mnemonic of every target is documented, agrees with the tables, and reads as it should."""

import re
from pathlib import Path

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import conditions, documentation
from gcn_lsp.isa.documentation import Entry, counters, library
from tests.isa.documentation.forms import TARGETS, known, second_halves

ENTRIES = tuple(sorted(documentation.mnemonics()))
CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
SUMMARY = re.compile(r"[A-Z][^\n]*\.")
_ARTICLE = r"\ba [aeio]\w*-bit|\ban (32|16|64)-bit|\ba (un[^i]|[aei])\w|\ban [bcdfgjkpqtvwyz]\w"
BLEMISH = re.compile(r"[{}]|  | [.,;]|(?<!\.)\.\.(?!\.)|<[a-z]|" + _ARTICLE)
STATE = {"scc": "SCC", "m0": "M0", "exec": "EXEC"}
VECTOR = {name for kind in ("load", "store", "sample", "ray") for _, name in counters.COUNTED[kind]}
SCALAR = {name for kind in ("lds", "scalar", "message") for _, name in counters.COUNTED[kind]}

# What LLVM does not model, or models for its own purposes: not a mistake of either.
WRITES_BEYOND_LLVM = {"s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join", "s_setvskip"}
UNCOUNTED_BY_LLVM = {
    *("s_sendmsg", "s_sendmsghalt", "s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64", "s_get_barrier_state"),
    *("s_atc_probe", "s_atc_probe_buffer"),
}
COUNTED_ONLY_BY_LLVM = {
    *("buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_wbinvl1_sc", "buffer_invl2", "buffer_inv"),
    *("buffer_gl0_inv", "buffer_gl1_inv"),
}


def entry_of(mnemonic: str, target: str | None = None) -> Entry:
    entry = documentation.entry(mnemonic, isa.load_target(target) if target else None)
    assert entry is not None, f"{mnemonic} has no entry"
    return entry


def texts(entry: Entry) -> tuple[str, ...]:
    """All the sentences of an entry."""
    return (entry.summary, *entry.notes, *entry.hazards, *entry.sources)


def corpus_mnemonics() -> list[str]:
    """The mnemonics at the start of a statement anywhere in the corpus."""
    known = {name for target in TARGETS for name in isa.load_target(target).mnemonics}
    first_word = re.compile(r"^\s*(?:\w+:\s*)?([a-z]\w+)", re.MULTILINE)
    found = set()
    for path in CORPUS.rglob("*"):
        if path.suffix in (".s", ".inc"):
            words = first_word.findall(path.read_text(encoding="utf-8", errors="replace"))
            found |= {re.sub(r"_(e32|e64|dpp|sdwa)$", "", word) for word in words}
    return sorted(found & known)


@pytest.mark.parametrize("target", isa.target_names())
def test_every_mnemonic_of_the_target_has_an_entry(target: str) -> None:
    loaded = isa.load_target(target)
    assert [name for name in loaded.mnemonics if documentation.entry(name, loaded) is None] == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real kernels is not beside the repository")
def test_every_mnemonic_of_the_corpus_has_an_entry() -> None:
    mnemonics = corpus_mnemonics()
    assert len(mnemonics) > 150
    assert [name for name in mnemonics if documentation.entry(name) is None] == []


def test_no_entry_without_an_instruction() -> None:
    native = {name for target in TARGETS for name in known(target)} | second_halves()
    assert [name for name in ENTRIES if name not in native] == []


def test_no_text_that_no_target_shows() -> None:
    # A block that is for some targets only has to be for one that has the mnemonic.
    having = {name: [target for target in TARGETS if name in known(target)] for name in ENTRIES}
    idle = [
        (name, condition)
        for name in ENTRIES
        for condition in library.conditions(name)
        if name not in second_halves() and not any(conditions.covers(condition, target) for target in having[name])
    ]
    assert idle == []


def test_no_mnemonic_is_documented_twice() -> None:
    twice = [
        (name, target)
        for name in ENTRIES
        for target in TARGETS
        if sum(conditions.covers(condition, target) for condition in library.conditions(name)) > 1
    ]
    assert twice == []


@pytest.mark.parametrize("suffix", ["", "_e32", "_e64", "_dpp", "_sdwa"])
def test_encoding_suffix_does_not_matter(suffix: str) -> None:
    assert documentation.entry("v_add_f32" + suffix) == entry_of("v_add_f32")


@pytest.mark.parametrize("name", ["", "s_", "v_add", "v_add_f32_e16", "ds_read", "nonsense", "exports"])
def test_unknown_mnemonic_has_no_entry(name: str) -> None:
    assert documentation.entry(name) is None


def test_name_may_mean_another_instruction_on_another_target() -> None:
    assert "SDST" in entry_of("v_add_u32", "gfx803").operation
    assert "SDST" not in entry_of("v_add_u32", "gfx900").operation
    assert entry_of("v_add_u32", "gfx1100").mnemonic == "v_add_nc_u32"


def test_alias_is_told() -> None:
    entry = entry_of("v_add_f16_t16", "gfx1100")
    assert entry.mnemonic == "v_add_f16"
    assert entry.notes[0] == "v_add_f16_t16 is another name for v_add_f16."


def test_target_that_lacks_the_mnemonic_gets_the_oldest_one() -> None:
    assert entry_of("ds_cmpst_b32", "gfx1100") == entry_of("ds_cmpst_b32", "gfx600")


def test_counter_has_the_name_of_the_target() -> None:
    names = {target: entry_of("global_store_b32", target).counters for target in ("gfx1100", "gfx1200", "gfx1250")}
    assert names == {"gfx1100": ("vscnt",), "gfx1200": ("storecnt",), "gfx1250": ("storecnt", "xcnt")}


@pytest.mark.parametrize("target", TARGETS)
def test_summary_is_one_sentence(target: str) -> None:
    summaries = {name: found.entry.summary for name, found in known(target).items()}
    assert {name: text for name, text in summaries.items() if not SUMMARY.fullmatch(text) or ". " in text} == {}


@pytest.mark.parametrize("target", TARGETS)
def test_text_has_no_gaps(target: str) -> None:
    sentences = {(name, text) for name, found in known(target).items() for text in texts(found.entry)}
    assert {(name, text) for name, text in sentences if not text.endswith(".") or BLEMISH.search(text)} == set()


@pytest.mark.parametrize("target", TARGETS)
def test_every_entry_is_complete(target: str) -> None:
    entries = [found.entry for found in known(target).values()]
    assert [entry.mnemonic for entry in entries if not (entry.operation and entry.family)] == []
    assert [entry.mnemonic for entry in entries if len(set(texts(entry))) != len(texts(entry))] == []
    assert [entry.mnemonic for entry in entries if re.search(r"\S  ", entry.operation)] == []  # a column left empty


@pytest.mark.parametrize("target", TARGETS)
def test_written_state_agrees_with_the_tables(target: str) -> None:
    for mnemonic in set(known(target)) - WRITES_BEYOND_LLVM:
        found = known(target)[mnemonic]
        written = set(found.entry.writes) & set(STATE.values())
        assert (mnemonic, {STATE[name] for name in STATE if name in found.defs}) == (mnemonic, written)


@pytest.mark.parametrize("target", TARGETS)
def test_scc_is_read_where_the_tables_say_so(target: str) -> None:
    reads = {name for name, found in known(target).items() if "scc" in found.uses}
    told = {name for name, found in known(target).items() if "SCC" in found.entry.reads}
    # LLVM has this one read SCC so as to keep what was there; the hardware only writes it.
    assert told == reads - {"s_barrier_signal_isfirst"}


@pytest.mark.parametrize("target", TARGETS)
def test_counters_agree_with_the_tables(target: str) -> None:
    compared = set(known(target)) - UNCOUNTED_BY_LLVM - COUNTED_ONLY_BY_LLVM - {"buffer_store_lds_dword"}
    for mnemonic in compared:
        found = known(target)[mnemonic]
        told = set(found.entry.counters)
        assert (mnemonic, bool(told & VECTOR), bool(told & SCALAR)) == (mnemonic, found.vector, found.scalar)


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
    assert "if RETURN: D.u32 = old" in entry_of("buffer_atomic_add").operation
