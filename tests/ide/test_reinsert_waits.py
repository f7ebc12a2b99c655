"""Waits written anew: the fewest that are sound, memory's left alone, nothing lost on the way."""

from gcn_lsp.analysis.waits import waits
from gcn_lsp.ide import reinsert_waits
from tests.analysis.support import program

LOAD = "  global_load_dword v{0}, v0, s[2:3]\n"


def rewritten(text: str, target: str = "gfx900") -> str:
    source = reinsert_waits.rewritten(program(text, target))
    after = program(source.to_bytes().decode(), target)
    found = waits.of(after)
    assert found is not None
    assert list(found.missing) == []
    return source.to_bytes().decode()


def test_a_wait_that_is_stronger_than_needed_becomes_the_weakest_that_is_enough() -> None:
    text = f"k:\n{LOAD.format(1)}{LOAD.format(2)}  s_waitcnt vmcnt(0) lgkmcnt(0)\n  v_mov_b32 v3, v1\n  s_endpgm\n"
    assert rewritten(text) == text.replace("vmcnt(0) lgkmcnt(0)", "vmcnt(1)")


def test_a_wait_that_nothing_needs_goes_with_its_line_but_its_comment_stays() -> None:
    text = (
        f"k:\n{LOAD.format(1)}  s_waitcnt vmcnt(0)\n  s_waitcnt vmcnt(0) // all of it\n  v_mov_b32 v9, 0\n  s_endpgm\n"
    )
    assert rewritten(text) == f"k:\n{LOAD.format(1)}   // all of it\n  v_mov_b32 v9, 0\n  s_endpgm\n"


def test_a_missing_wait_is_put_in() -> None:
    text = "k:\n\tds_read_b32 v1, v0\n\tv_mov_b32 v3, v1\n\ts_endpgm\n"
    assert rewritten(text) == text.replace("\tv_mov", "\ts_waitcnt lgkmcnt(0)\n\tv_mov")


def test_waits_that_order_memory_stay() -> None:
    for following in (
        "s_barrier",
        "s_endpgm",
        "global_atomic_add v0, v2, s[2:3]",
        "buffer_wbinvl1",
        "global_store_dword v0, v5, s[2:3] glc",
        "global_store_dword v0, v5, s[2:3]",
    ):
        text = f"k:\n{LOAD.format(1)}  s_waitcnt vmcnt(0)\n  {following}\n  s_endpgm\n"
        assert rewritten(text) == text
    text = "k:\n  global_store_dword v0, v5, s[2:3]\n  s_waitcnt_vscnt null, 0x0\n  v_mov_b32 v9, 0\n  s_endpgm\n"
    assert rewritten(text, "gfx1030") == text


def test_a_wait_for_what_a_store_writes_is_no_order_of_memory() -> None:
    text = (
        f"k:\n{LOAD.format(1)}{LOAD.format(2)}  s_waitcnt vmcnt(0)\n  global_store_dword v0, v1, s[2:3]\n  s_endpgm\n"
    )
    assert rewritten(text) == text.replace("vmcnt(0)", "vmcnt(1)")


def test_two_counters_of_gfx12_share_an_instruction() -> None:
    text = "k:\n  global_load_b32 v1, v0, s[2:3]\n  ds_load_b32 v2, v0\n  v_add_f32 v3, v1, v2\n  s_endpgm\n"
    assert rewritten(text, "gfx1200") == text.replace("  v_add", "  s_wait_loadcnt_dscnt 0x0\n  v_add")


def test_the_body_of_a_macro_is_treated_once() -> None:
    text = ".macro use r\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v9, v\\r\n.endm\nk:\n" + LOAD.format(1) + LOAD.format(2)
    text += "  use 1\n  use 2\n  s_endpgm\n"
    assert rewritten(text) == text  # the second call needs the stronger one


def test_a_wait_for_the_first_round_of_a_repetition_stays_before_it() -> None:
    load = "  s_load_dword s4, s[0:1], 0x0\n"
    body = ".rept 3\n  .set n, n+1\n  v_mov_b32 v[n], s4\n.endr\n"
    text = f"k:\n.set n, 0\n{load}  s_waitcnt lgkmcnt(0)\n{body}  s_endpgm\n"
    assert rewritten(text) == text
    assert rewritten(text.replace("  s_waitcnt lgkmcnt(0)\n", "")) == text


def test_a_wait_in_a_repetition_stays_in_it_if_it_is_not_for_the_first_instruction() -> None:
    body = ".rept 3\n  v_mov_b32 v9, 0\n  v_mov_b32 v8, s4\n  s_load_dword s4, s[0:1], 0x0\n.endr\n"
    text = f"k:\n  s_load_dword s4, s[0:1], 0x0\n{body}  s_endpgm\n"
    wait = "  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v8"
    assert rewritten(text) == text.replace("  v_mov_b32 v8", wait)
    again = text.replace("  v_mov_b32 v9, 0\n", "")
    assert rewritten(again) == again.replace("  v_mov_b32 v8", wait)


def test_without_a_known_target_nothing_changes() -> None:
    from gcn_lsp.program.program import Options, build
    from gcn_lsp.text import SourceText

    source = SourceText.from_bytes("k.s", b"k:\n s_waitcnt vmcnt(0)\n s_endpgm\n")
    assert reinsert_waits.rewritten(build(source, Options())) is source


def test_the_edits_are_the_way_to_the_new_text() -> None:
    text = f"k:\n{LOAD.format(1)}  s_waitcnt vmcnt(0)\n  v_mov_b32 v9, 0\n  v_mov_b32 v3, v1\n  s_endpgm\n"
    before = program(text)
    found = reinsert_waits.edits(before.source, reinsert_waits.rewritten(before))
    lines = text.splitlines(keepends=True)
    for edit in reversed(found):
        lines[edit.first : edit.last] = [edit.text]
    assert "".join(lines) == rewritten(text) != text


def test_the_waits_that_go_and_come_are_counted() -> None:
    loads = LOAD.format(1) + LOAD.format(2)
    text = f"k:\n{loads}  s_waitcnt vmcnt(0)\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v1\n  s_endpgm\n"
    before = program(text, "gfx900")
    found = reinsert_waits.edits(before.source, reinsert_waits.rewritten(before))
    assert reinsert_waits.changes(found, before.source) == (2, 1)
