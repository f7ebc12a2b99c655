"""The operations in flight, after lines and in hovers."""

from gcn_lsp.analysis.machine import registers
from gcn_lsp.ide import in_flight
from gcn_lsp.ide.describe import markdown
from gcn_lsp.text import rendered
from tests.analysis.support import program

KERNEL = """\
k:
  global_load_dwordx4 v[4:7], v0, s[2:3]
  ds_read_b32 v2, v0
  global_store_dword v0, v9, s[2:3]
  s_waitcnt vmcnt(1)
  v_mov_b32 v4, v5
  s_endpgm
"""


def described(text: str, line: int) -> str:
    built = program(text)
    return rendered(in_flight.describe(built, line), built.path, markdown.place)


def test_hints_stand_behind_instructions_before_which_something_is_in_flight() -> None:
    found = in_flight.hints(program(KERNEL), 0, 6)
    assert [(hint.line, hint.column, hint.text) for hint in found] == [
        (2, 20, "vmcnt 1 (v[4:7])"),
        (3, 35, "vmcnt 1 (v[4:7]), lgkmcnt 1 (v2)"),
        (4, 20, "vmcnt 2 (v[4:7]), lgkmcnt 1 (v2)"),
        (5, 18, "vmcnt 1, lgkmcnt 1 (v2)"),
    ]


def test_a_hint_stands_only_where_something_changes() -> None:
    nops = KERNEL.replace("  s_waitcnt", "  // here\n" * 200 + "  s_nop 0\n  s_nop 0\n  s_waitcnt")
    whole = [(hint.line, hint.text) for hint in in_flight.hints(program(nops), 0, 300)]
    assert [line for line, _ in whole] == [2, 3, 204, 207]
    for first in range(0, 210, 3):
        shown = [(hint.line, hint.text) for hint in in_flight.hints(program(nops), first, 300)]
        assert shown == [hint for hint in whole if hint[0] >= first]


def test_hints_of_some_lines_only() -> None:
    assert [hint.line for hint in in_flight.hints(program(KERNEL), 3, 4)] == [3, 4]


def test_a_hover_lists_the_operations_youngest_first() -> None:
    assert described(KERNEL, 4) == (
        "In flight before this:\n\n"
        "- lgkmcnt: `ds_read_b32` on line 3 will write `v2`\n"
        "- vmcnt: `global_store_dword` on line 4\n"
        "- vmcnt: `global_load_dwordx4` on line 2 will write `v[4:7]`, 1 younger"
    )


def test_the_operations_on_some_registers_alone() -> None:
    built = program(KERNEL)
    found = in_flight.on_registers(built, 4, registers.of_tuple("v", 5, 1) | registers.of_tuple("v", 8, 1))
    assert [rendered(each, built.path, markdown.place) for each in found] == [
        "vmcnt: `global_load_dwordx4` on line 2 will write `v[4:7]`, 1 younger"
    ]
    assert in_flight.on_registers(built, 4, registers.of_tuple("v", 8, 1)) == []


def test_nothing_to_say() -> None:
    assert in_flight.describe(program(KERNEL), 1) == ""
    assert in_flight.describe(program(KERNEL), 0) == ""


def test_no_more_are_in_flight_than_the_counter_counts() -> None:
    # vmcnt counts to 63 and waits for room, however the lines are cut into chunks.
    stores = "  global_store_dword v0, v9, s[2:3]\n"
    nops = "  s_nop 0\n"
    last = {
        described(f"k:\n{nops * before}{stores * 110}  s_endpgm\n", before + 111).splitlines()[-1]
        for before in (0, 20, 45)
    }
    assert last == {"- and 51 older"}
