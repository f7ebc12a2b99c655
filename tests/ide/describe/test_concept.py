"""The pages of ideas, and their tables against what the tables of the targets say."""

import pytest

from gcn_lsp import isa
from gcn_lsp.ide.describe import concept, hazard
from gcn_lsp.isa import documentation, hazards
from tests.isa.documentation.test_library import BLEMISH

NAMES = documentation.names(documentation.CONCEPTS)
TARGETS = ("gfx600", "gfx803", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1250")


def page(name: str, target: str) -> str:
    found = concept.describe(name, isa.load_target(target))
    assert found is not None
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_made_of_sentences(name: str, target: str) -> None:
    entry = documentation.concept(name, isa.load_target(target))
    assert entry is not None
    for text in (entry.summary, *entry.notes):
        assert text.endswith("."), text
        assert not BLEMISH.search(text), text
    place = f"on {target}" if documentation.has_text(documentation.CONCEPTS, name, target) else f"(not on {target})"
    assert page(name, target).startswith(f"**{name.replace('-', ' ')}** {place}\n")


@pytest.mark.parametrize("name", ["bank conflict", "Memory_Model", "calling convention", "hazards", "waves", "LDS"])
def test_names_as_they_are_typed(name: str) -> None:
    assert concept.describe(name, None) is not None


def test_what_is_no_idea() -> None:
    assert concept.describe("v_add_f32", None) is None
    assert concept.describe("", None) is None


@pytest.mark.parametrize(
    ("target", "rows"),
    [
        ("gfx900", ("| 24 | 10 |", "| 128 | 2 |", "| 256 | 1 |")),
        ("gfx90a", ("| 64 | 8 |", "| 128 | 4 |", "| 512 | 1 |")),
        ("gfx1030", ("waves of 32 lanes, in blocks of 16", "waves of 64 lanes, in blocks of 8", "| 128 | 8 |")),
        ("gfx1100", ("| 96 | 16 |", "in blocks of 1024 (LLVM counts blocks of 512)")),
        ("gfx1250", ("waves of 32 lanes, in blocks of 16", "| 1024 | 1 |", "327680 bytes")),
    ],
)
def test_occupancy(target: str, rows: tuple[str, ...]) -> None:
    found = page("occupancy", target).replace("a wave of", "waves of")
    for row in rows:
        assert row in found, found


@pytest.mark.parametrize(
    ("target", "sizes"), [("gfx900", [64]), ("gfx942", [64]), ("gfx1030", [32, 64]), ("gfx1250", [32])]
)
def test_occupancy_is_for_the_waves_that_the_target_has(target: str, sizes: list[int]) -> None:
    assert [size for size in (32, 64) if f"a wave of {size} lanes" in page("occupancy", target)] == sizes


@pytest.mark.parametrize("target", TARGETS)
def test_every_row_of_the_hazards_is_listed(target: str) -> None:
    found = page("hazard", target)
    for row in hazards.rows(isa.load_target(target).features):
        assert f"| {row.id} |" in found


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("gfx600", "buffer_wbinvl1\n"),
        ("gfx908", "buffer_wbinvl1_vol\n"),
        ("gfx942", "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\n"),
        ("gfx1030", "buffer_gl1_inv\nbuffer_gl0_inv\n"),
        ("gfx1200", "global_inv scope:SCOPE_DEV\n"),
        ("gfx1250", "global_wb scope:SCOPE_DEV\n"),
    ],
)
def test_memory_model(target: str, said: str) -> None:
    assert said in page("acquire", target)


def test_counters() -> None:
    assert "| `vmcnt` | 63 |" in page("waitcnt", "gfx90a")
    assert "| `asynccnt` |" in page("counters", "gfx1250")


def test_hidden_arguments_have_descriptions() -> None:
    found = page("kernarg", "gfx942")
    assert "| +120 | 4 bytes | `hidden_dynamic_lds_size` |" in found


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("cache line", "gfx90a", "| vector memory | 64 bytes |"),
        ("cache line", "gfx942", "| vector memory | 128 bytes |"),
        ("cache line", "gfx908", "| all of them: L2 | 64 bytes |"),
        ("cache line", "gfx90a", "| all of them: L2 | 128 bytes |"),
        ("cache line", "gfx1030", "| all of them: L2 | 128 bytes |"),
        ("cache", "gfx1100", "| instructions | 128 bytes |"),
        ("rate", "gfx90a", "64-bit floats are as fast as those of 32 bits"),
        ("latency", "gfx908", "64-bit floats are half as fast"),
        ("dispatch packet", "gfx900", "| +24 | 4 bytes | scratch bytes of a work-item |"),
        ("barrier", "gfx1200", "| -1 | of the work-group |"),
        ("named barrier", "gfx1250", "| 1 to 16 | named, for any waves of the work-group |"),
        ("mfma", "gfx908", "| 16 | `v_mfma_f32_32x32x1f32`"),
        ("matrix", "gfx942", "| 4 | `v_mfma_f32_16x16x16_bf16`"),
        ("workitem", "gfx90a", "bits 9:0, 19:10 and 29:20"),
        ("work-group", "gfx1200", "ttmp9"),
        ("vopd", "gfx1100", "one even and one odd destination"),
        ("async", "gfx1250", "counted by asynccnt"),
    ],
)
def test_tables_of_the_target(name: str, target: str, said: str) -> None:
    assert said in page(name, target)


def test_no_barrier_has_a_number_before_gfx12() -> None:
    assert "| -1 |" not in page("barrier", "gfx1100")
    assert "cluster" not in page("barrier", "gfx1200")


def test_user_sgprs_are_those_of_the_descriptor() -> None:
    assert "| `.amdhsa_user_sgpr_flat_scratch_init` | 2 |" in page("user-sgpr", "gfx900")
    assert "flat_scratch_init" not in page("user-sgpr", "gfx942")
    assert "| `.amdhsa_user_sgpr_kernarg_preload_length` | its value |" in page("kernel-input", "gfx942")


def test_one_unit_is_singular() -> None:
    assert "| 1 wait state |" in page("hazard", "gfx1030")
    assert "| 3 wait states |" in page("hazard", "gfx1030")


@pytest.mark.parametrize(
    ("target", "rows"),
    [
        ("gfx600", ["| `expcnt` | 7 | exports, GDS, until its data have been read, stores, until their data"]),
        ("gfx908", ["| `expcnt` | 7 | GDS, until its data have been read |", "| `lgkmcnt` | 15 | LDS, GDS, scalar"]),
        ("gfx1100", ["| `expcnt` | 7 | exports, GDS, until its data have been read, LDS direct and parameter loads |"]),
        ("gfx1200", ["| `dscnt` | 63 | LDS |", "| `bvhcnt` | 7 | ray tests |"]),
        ("gfx1250", ["| `asynccnt` | 63 |", "| `tensorcnt` | 63 |", "| `dscnt` | 63 | LDS |"]),
    ],
)
def test_counters_list_what_the_target_has(target: str, rows: list[str]) -> None:
    text = concept.describe("waitcnt", isa.load_target(target)) or ""
    for row in rows:
        assert row in text
    assert ("ray tests" in text) == (target in ("gfx1100", "gfx1200"))


def test_the_table_of_hazards_says_which_registers_and_by_how_many_passes() -> None:
    text = concept.describe("hazard", isa.load_target("gfx908")) or ""
    assert "| M908-01 | VALU instruction that writes EXEC | MFMA or `v_accvgpr_write` | 4 wait states |" in text
    assert "`v_accvgpr_read` that reads one of those registers | 4 wait states after 2 passes, 10 after 8, 18" in text
    assert "MFMA that adds to some of those registers, but not exactly those | 2 wait states" in text


def test_a_fact_by_its_id_has_its_row_and_its_own_rule() -> None:
    text = hazard.describe("M908-06") or ""
    assert "| MFMA that writes a VGPR or AccVGPR | `v_accvgpr_read` that reads one of those registers |" in text
    assert "Rule: `missing-wait-states`." in text
    assert "undefined-by-hardware" not in text
