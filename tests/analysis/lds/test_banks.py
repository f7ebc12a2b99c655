"""Lanes that meet in a bank of LDS, against examples whose degree others have stated."""

import pytest

from gcn_lsp import isa
from gcn_lsp.analysis.lds import banks
from gcn_lsp.isa.memory import lds_banks
from gcn_lsp.isa.memory.lds_banks import BankModel
from tests.support.check import check_no_finding, findings

RULE = "lds-bank-conflict"


def model(target: str, width: int, *, reads: bool = True) -> BankModel:
    known = isa.load_target(target)
    found = lds_banks.model(known.features, known.wavefront_size, width, reads=reads)
    assert found is not None
    return found


def degree(target: str, width: int, addresses: list[int]) -> int:
    return len(banks.conflict(tuple(addresses), width, model(target, width)).lanes)


def lanes_in_a_bank(addresses: list[int]) -> int:
    """The lanes of all phases that read from the bank that most read from, on gfx950 by `ds_read_b128`."""
    found = [0] * 64
    for address in addresses:
        for dword in range(address // 4, address // 4 + 4):
            found[dword % 64] += 1
    return max(found)


def rows_of_halves(stride: int) -> list[int]:
    """Row `lane % 32`, and 16 bytes further on for the upper lanes: a read of K for 32x32 tiles."""
    return [lane % 32 * stride + lane // 32 * 16 for lane in range(64)]


@pytest.mark.parametrize(("stride", "lanes", "expected"), [(256, 32, 16), (272, 4, 1), (128, 16, 8)])
def test_rows_of_attention_on_gfx950(stride: int, lanes: int, expected: int) -> None:
    """Stated: 32, 4 (no conflict) and 16 lanes for each bank, of which each half of the phases has one half."""
    addresses = rows_of_halves(stride)
    assert lanes_in_a_bank(addresses) == lanes
    assert degree("gfx950", 16, addresses) == expected


def swizzled(row: int, column: int, columns: int) -> int:
    """The address in a tile whose rows of 16-byte columns are swapped in pairs and rotated by the row of banks."""
    bank_row = row // (16 // columns)
    column = (column + bank_row // 2 * 2) % columns
    return row * columns * 16 + (column ^ ((bank_row ^ 1) & 1)) * 16


@pytest.mark.parametrize(("columns", "rows"), [(4, 32), (8, 16)])
def test_columns_of_a_tile_on_gfx950(columns: int, rows: int) -> None:
    """Stated: four times, for four columns of 32 rows and eight of 16; pairs swapped and rotated end it."""
    plain = [lane % rows * columns * 16 + lane // rows * 16 for lane in range(64)]
    assert degree("gfx950", 16, plain) == 4
    assert degree("gfx950", 16, [swizzled(lane % rows, lane // rows, columns) for lane in range(64)]) == 1


def test_rows_of_a_permuted_tile_on_gfx942() -> None:
    """Stated: with a period of 8 rows, lanes i and i + 8 of 16 meet; with 16 rows none do."""
    for period, expected in ((8, 2), (16, 1)):
        addresses = [8 * (32 * (lane % 16) + (lane // 16 ^ lane % 16 % period)) for lane in range(64)]
        assert degree("gfx942", 8, addresses) == expected


def test_rows_of_transposed_values_on_gfx942() -> None:
    """Stated: lanes of 32 rows meet four at a bank with 72 halves a row, and do not with 64 that are swizzled."""
    padded = [lane % 32 * 144 + lane // 32 * 8 for lane in range(64)]
    swizzled = [lane % 32 * 128 + (lane // 32 * 8 ^ lane % 16 * 8) for lane in range(64)]
    for addresses, lanes, expected in ((padded, 4, 2), (swizzled, 2, 1)):
        banks_of = [(address // 4 + dword) % 32 for address in addresses[:32] for dword in range(2)]
        assert max(map(banks_of.count, banks_of)) == lanes  # of half a wave, which goes in two phases
        assert degree("gfx942", 8, addresses) == expected


def test_fewer_banks_for_dwords_on_gfx950() -> None:
    """Stated: only `ds_read_b64` and `ds_read_b128` use 64 banks; `ds_read_b32` and writes act as with 32."""
    addresses = tuple(lane * 128 for lane in range(64))
    assert model("gfx950", 4).banks == model("gfx950", 4, reads=False).banks == 32
    assert model("gfx950", 8).banks == model("gfx950", 16).banks == 64
    assert len(banks.conflict(addresses, 4, model("gfx950", 4)).lanes) == 32


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize("width", [4, 8, 16])
def test_phases_have_each_lane_once(target: str, width: int) -> None:
    lanes = [lane for phase in model(target, width).phases for lane in phase]
    assert sorted(lanes) == list(range(64))


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize("width", [4, 8, 16])
def test_neighbours_have_no_conflict(target: str, width: int) -> None:
    assert degree(target, width, [lane * width for lane in range(64)]) == 1
    assert degree(target, width, [0] * 64) == 1  # one dword for all


def test_the_smallest_padding() -> None:
    addresses = tuple(rows_of_halves(256))
    cure = banks.cure(addresses, 16, model("gfx950", 16))
    assert cure is not None
    assert (cure.padding, cure.every) == (16, 256)
    assert banks.cure(tuple(lane * 128 for lane in range(64)), 4, model("gfx942", 4)) == (4, 128, 0, 0)


LANE = "v_mbcnt_lo_u32_b32 v0, -1, 0\nv_mbcnt_hi_u32_b32 v0, -1, v0\n"
END = "s_waitcnt lgkmcnt(0)\nds_write_b32 v9, v1\ns_endpgm\n"


def test_the_message() -> None:
    (found,) = [each for each in findings(f"{LANE}v_lshlrev_b32 v0, 7, v0\nds_read_b32 v1, v0\n{END}", "gfx942")
                if each.rule == RULE]  # fmt: skip
    assert found.message == (
        "32 lanes meet in bank 0: 32 passes instead of 1 in phase 1 of 2, 64 instead of 2 in all; "
        "4 bytes of padding after each 128 bytes end that"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{LANE}v_lshlrev_b32 v0, 2, v0\nds_read_b32 v1, v0\n{END}",
        # What lanes differ by is not known.
        f"v_lshlrev_b32 v0, 7, v5\nds_read_b32 v1, v0\n{END}",
        # No phases are published.
        f"{LANE}v_lshlrev_b32 v0, 8, v0\nds_write_b128 v0, v[4:7]\n{END}",
    ],
)
def test_silence(text: str) -> None:
    check_no_finding(text, RULE, "gfx942")
