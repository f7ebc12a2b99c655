"""The next line where only one can be meant: what a certain fix inserts, and the next of an unrolled sequence."""

from gcn_lsp import rules
from gcn_lsp.ide import inline_completion
from tests.support.ide import program_and_cursor


def offered(text: str) -> list[str]:
    program, line, _ = program_and_cursor(text)
    return inline_completion.next_lines(program, rules.check(program), line)


LOAD = "  global_load_dword v1, v[2:3], off\n"
ADD = "  v_add_f32 v4, v1, v1\n"


def test_a_missing_wait_is_offered_before_what_needs_it() -> None:
    assert offered(f"{LOAD}$0\n{ADD}") == ["  s_waitcnt vmcnt(0)"]
    assert offered(f"{LOAD}\t$0\n\n{ADD}") == ["\ts_waitcnt vmcnt(0)"]


def test_no_wait_is_offered_where_none_is_missing() -> None:
    assert offered(f"{LOAD}  s_waitcnt vmcnt(0)\n$0\n{ADD}") == []
    assert offered(f"$0\n{LOAD}  s_nop 0\n{ADD}") == []
    assert offered(f"{LOAD}  s_no$0\n{ADD}") == []


def test_wait_states_are_offered_too() -> None:
    text = "  v_mov_b32 v0, s0\n  v_readfirstlane_b32 s4, v0\n$0\n  v_readlane_b32 s5, v1, s4\n"
    assert offered(text) == ["  s_nop 3"]


def sequence(*lines: str) -> list[str]:
    return offered("".join(f"  {line}\n" for line in lines) + "$0\n  s_endpgm\n")


def test_the_next_line_of_a_sequence() -> None:
    lines = [f"v_fma_f32 v{n}, v{n + 16}, s4, v{2 * n}" for n in range(5)]
    assert sequence(*lines[:3]) == [f"  {lines[3]}"]
    assert sequence(*lines[:4]) == [f"  {lines[4]}"]


def test_a_sequence_of_rounds() -> None:
    rounds = [
        (f"ds_read_b32 v{n}, v9 offset:{n * 0x40:#x}", f"v_mul_f32 v{n + 20}, v{n + 4}, s{8 + n}") for n in range(4)
    ]
    lines = [line for each in rounds for line in each]
    assert [line.strip() for line in sequence(*lines[:6])] == [lines[6]]
    assert [line.strip() for line in sequence(*lines[:7])] == [lines[7]]


def test_what_may_go_on_otherwise_is_no_sequence() -> None:
    two = ("v_mov_b32 v0, s0", "v_mov_b32 v1, s1")
    assert sequence(*two) == []
    assert sequence(*two, "v_mov_b32 v2, s3") == []  # the step is another one
    assert sequence(*two, "v_mov_b32 v2, v2") == []
    assert sequence("s_nop 0", "s_nop 0", "s_nop 0") == []  # nothing grows
    assert sequence("v_mov_b32 v2, 0", "v_mov_b32 v1, 0", "v_mov_b32 v0, 0") == []
    assert sequence("v_mov_b32 v253, 0", "v_mov_b32 v254, 0", "v_mov_b32 v255, 0") == []  # there is no v256
    assert sequence(".long 0", ".long 1", ".long 2") == []


def test_what_is_there_already_is_not_offered() -> None:
    text = "".join(f"  v_mov_b32 v{n}, 0\n" for n in range(3))
    assert offered(f"{text}$0\n  v_mov_b32 v3, 0\n") == []


def test_nothing_is_offered_in_metadata_and_outside() -> None:
    assert offered(".amdgpu_metadata\n$0\n.end_amdgpu_metadata\n") == []
    program, _, _ = program_and_cursor("$0")
    assert inline_completion.next_lines(program, [], 9) == []
