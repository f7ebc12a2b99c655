"""Instructions that are written as data: `.long` with the words of one of them."""

import pytest

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.analysis.machine import results
from gcn_lsp.analysis.waits import waits
from tests.analysis.support import program

MFMA = ".long 0xd3cd0000, 0x04020104"  # v_mfma_f32_16x16x16_f16 v[0:3], ...


def mnemonics(text: str, target: str = "gfx942") -> list[list[str]]:
    """The instructions of each node."""
    found = graphs.of(program(text, target))
    assert found is not None
    return [[site.mnemonic for site in node.sites] for node in found.nodes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s_nop 0\n.long 0xbf800001\ns_endpgm\n", [["s_nop", "s_nop", "s_endpgm"]]),
        (f"s_nop 0\n{MFMA}\ns_endpgm\n", [["s_nop", "v_mfma_f32_16x16x16_f16", "s_endpgm"]]),
        ("s_nop 0\nl:\n.long 0xbf800001\ns_endpgm\n", [["s_nop"], ["s_nop", "s_endpgm"]]),
        ("s_nop 0\n.long 0xbf810000\n.long 0xbf800001\n", [["s_nop", "s_endpgm"]]),  # data after the end
        ("s_nop 0\n.quad 0x04020104d3cd0000\ns_endpgm\n", [["s_nop", "v_mfma_f32_16x16x16_f16", "s_endpgm"]]),
        ("s_endpgm\nk:\ns_nop 0\n.long 0xbf800001\n", [["s_endpgm"], ["s_nop", "s_nop"]]),
        ("s_endpgm\ntable:\n.long 0xbf800001\n", [["s_endpgm"], []]),
        ("s_nop 0\n.long 0xbf800001, 0xbf800001\ns_endpgm\n", [["s_nop", "s_endpgm"]]),  # two in a statement
        ("s_nop 0\n.long 0xffffffff\n.long 0xbf800001\ns_endpgm\n", [["s_nop", "s_endpgm"]]),  # in the middle of one?
        (".rodata\n.long 0xbf800001\n", []),
    ],
)
def test_words_are_instructions_where_control_comes_to_them(text: str, expected: list[list[str]]) -> None:
    assert mnemonics(text) == expected


def test_the_code_of_a_kernel_may_be_all_words() -> None:
    head = ".rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 4\n.amdhsa_accum_offset 4\n"
    code = ".end_amdhsa_kernel\n.text\nk:\n.long 0xbf800001\n.long 0xbf840001\n.long 0xbf800002\n.long 0xbf810000\n"
    found = graphs.of(program(head + code, "gfx942"))
    assert found is not None
    assert [[site.mnemonic for site in node.sites] for node in found.nodes] == [
        ["s_nop", "s_cbranch_scc0"],
        ["s_nop"],
        ["s_endpgm"],  # where the branch by a distance goes
    ]
    assert found.successors == [(1, 2), (2,), ()]


def test_where_the_text_is_divided_makes_no_difference() -> None:
    for count in range(58, 68):  # chunks have some 64 lines
        text = "s_nop 0\n" * count + ".long 0xbf800001\n" * 8 + "s_endpgm\n.long 0xbf800001\n"
        assert sum(map(len, mnemonics(text))) == count + 9


def test_waits_and_hazards_go_through_them() -> None:
    load = "buffer_load_dword v8, v9, s[8:11], 0 offen\n"
    use = "v_mov_b32 v1, v8\ns_endpgm\n"
    missing = [
        waits.of(program(f"{load}{words}{use}", "gfx942"))
        for words in (".long 0xbf8c0f70\n", ".long 0xbf8c0f71\n", f"{MFMA}\n")  # vmcnt(0), vmcnt(1), no wait
    ]
    assert [len(each.missing) if each is not None else None for each in missing] == [0, 1, 1]
    dangers = hazards.of(program(f"{MFMA}\nv_mov_b32 v4, v1\n", "gfx942"))
    assert dangers is not None
    assert not dangers.found  # nothing says that the first line is code
    dangers = hazards.of(program(f"s_nop 0\n{MFMA}\nv_mov_b32 v4, v1\ns_endpgm\n", "gfx942"))
    assert dangers is not None
    assert [each.row.id for each in dangers.found]


def test_an_unknown_word_has_no_bytes() -> None:
    version = program("s_nop 0\n.long 0xffffffff\n.svet x, 1\ns_endpgm\n", "gfx942")
    found = graphs.of(version)
    assert found is not None
    assert len(results.data_after(version, found)) == 1


def test_what_is_decoded_hides_nothing() -> None:
    version = program(f"s_nop 0\n{MFMA}\n.long 0xffffffff\nv_mov_b32 v4, v9\ns_endpgm\n", "gfx942")
    found = graphs.of(version)
    assert found is not None
    assert [item.data for _, _, item in results.places_of_data(version, found)] == [b"\xff\xff\xff\xff"]
