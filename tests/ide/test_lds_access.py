"""Accesses of LDS in hovers: the barrier of a copy, and the lanes at each bank."""

from gcn_lsp.ide import lds_access
from gcn_lsp.program.program import Program
from gcn_lsp.text import rendered
from tests.analysis import support
from tests.analysis.lds import pipelines


def program(name: str) -> Program:
    kernel = next(each for each in pipelines.kernels() if each.name == name)
    return support.program(kernel.text, kernel.target)


def described(made: Program, word: str) -> list[str]:
    lines = made.source.lines
    found = [lds_access.describe(made, number) for number, line in enumerate(lines) if line.startswith(word.encode())]
    return [rendered(said, made.path) for said in found]


def test_the_barrier_of_a_copy_and_the_copies_of_a_barrier() -> None:
    made = program("dword-single-2")
    said = "Other waves may read what this brings to LDS after the barrier on line 17."
    assert described(made, "buffer_load") == [said] * 2
    said = "After this, other waves may read what the copies to LDS on line 12, line 15 bring."
    assert described(made, "s_barrier") == [said, ""]
    assert described(made, "s_sub") == [""]


def published(name: str) -> list[tuple[str, str, str]]:
    """The texts of the barriers that publish copies, with their lines and those of the first copies."""
    made = program(name)
    lines = made.source.lines
    return [
        (lines[each.where.line].decode(), lines[each.copy_line].decode().split(",")[0], each.text)
        for each in lds_access.publishing(made)
    ]


def test_what_a_barrier_publishes() -> None:
    copy = "buffer_load_dword v2"
    assert published("dword-single-2") == [("s_barrier", copy, "publishes copies to LDS")]
    assert published("dword-loop-3-1") == [
        ("s_barrier", copy, "publishes LDS buffer 1 of 3; 2 in flight"),
        ("s_barrier", copy, "publishes LDS buffer 2 of 3; 3 in flight"),
        ("s_barrier", copy, "publishes LDS buffer 3 of 3; 1 in flight"),
    ]
    assert [text for _, _, text in published("dword-straight-2-1")][:2] == [
        "publishes LDS buffer 1 of 2",
        "publishes LDS buffer 2 of 2",
    ]
    assert [text for _, _, text in published("dword-toggled")] == ["publishes copies to LDS, to 2 buffers in turn"]
    assert [line for line, _, _ in published("async-loop-3-1")] == ["s_barrier_wait -1"] * 3


def test_the_copies_that_are_in_flight_at_a_barrier() -> None:
    published, in_flight = described(program("dword-straight-3-1"), "s_barrier")[0].split("\n\n")
    assert published == "After this, other waves may read what the copies to LDS on line 10 bring."
    assert in_flight == "The copies to LDS on line 13 may be in flight here: nobody may read what they bring yet."


LANE = "v_mbcnt_lo_u32_b32 v0, -1, 0\nv_mbcnt_hi_u32_b32 v0, -1, v0\n"


def test_the_lanes_at_each_bank() -> None:
    text = f"{LANE}v_lshlrev_b32 v0, 7, v0\nds_read_b128 v[4:7], v0\n"
    assert lds_access.describe(support.program(text, "gfx942"), 3) == (
        "Lanes at each bank, in phase 1 of 8 (lanes 0-3, 20-23), of 32 banks:\n\n"
        "```text\n"
        "bank 0-3 ████████ 0, 1, 2, 3, 20, 21, 22, 23\n"
        "```"
    )
    assert lds_access.describe(support.program(text.replace("7, v0\nds", "4, v0\nds"), "gfx942"), 3) == ""


def test_the_buffers_that_a_copy_takes_in_turn() -> None:
    made = program("dword-toggled")
    assert any(
        "In turn this fills 2 buffers, from byte 0x0, 0x4000 of LDS." in said for said in described(made, "buffer")
    )
    assert any("In turn this reads 2 buffers" in said for said in described(made, "ds_read"))
    assert not any("In turn" in said for said in described(program("dword-straight-2-1"), "ds_read"))
