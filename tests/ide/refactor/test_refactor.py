"""What refactorings make of a program, that its bytes stay, and where they are not offered."""

import textwrap

import pytest

from gcn_lsp.ide import refactor
from gcn_lsp.program import problems, program
from gcn_lsp.text import SourceText
from tests.support import check, fixture

Program = program.Program


def offered(text: str, target: str = check.DEFAULT_TARGET) -> dict[str, tuple[Program, Program]]:
    """By title, the program before and after each refactoring that is offered at `$0`, or between two of them."""
    parsed = fixture.parse(text)
    cursors = [cursor for file in parsed.files for cursor in file.cursors]
    start, end = cursors[0], cursors[-1]
    before = check.build(parsed, target)
    found = refactor.refactorings(before, refactor.Selection(start.line, start.column, end.line, end.column))
    return {each.title: (before, applied(before, each)) for each in found}


def applied(before: Program, found: refactor.Refactoring) -> Program:
    source = before.source
    for edit in sorted(found.edits, key=lambda edit: (edit.first, edit.start), reverse=True):
        source = source.replace(edit.first, edit.start, edit.last, edit.end, edit.text.encode())
    return program.build(SourceText(source.path, source.lines), before.options)


def check_refactoring(
    text: str, title: str, expected: str, target: str = check.DEFAULT_TARGET, *, same_bytes: bool = True
) -> None:
    found = offered(text, target)
    assert title in found, f"there are {list(found)}"
    before, after = found[title]
    assert after.source.to_bytes().decode().strip("\n") == textwrap.dedent(expected).strip("\n")
    assert not list(problems.of(after))
    if same_bytes:
        assert after.section_bytes(".text") == before.section_bytes(".text")


def test_a_symbol_for_a_register_in_its_function() -> None:
    check_refactoring(
        """
        .type f,@function
        .type g,@function
        f:
        v_rcp_f32 v$05, -v5 // v5
        global_load_dwordx2 v[4:5], v[0:1], off
        v_add_f32 v5, v[5], |v6|
        g:
        v_mov_b32 v5, 0
        """,
        "Introduce a symbol for v5",
        """
        .type f,@function
        .type g,@function
        .set v_5, 5
        f:
        v_rcp_f32 v[v_5], -v[v_5] // v5
        global_load_dwordx2 v[4:5], v[0:1], off
        v_add_f32 v[v_5], v[v_5], |v6|
        g:
        v_mov_b32 v5, 0
        """,
    )


def test_a_symbol_for_a_tuple_with_a_name_that_is_free() -> None:
    check_refactoring(
        ".set s_2, 1\ns_mov_b64 s[2:3$0], 0\ns_mov_b32 s2, 0\ns_mov_b64 s[4:5], s[2:3]",
        "Introduce a symbol for s[2:3]",
        ".set s_2, 1\n.set s_2_2, 2\ns_mov_b64 s[s_2_2:s_2_2+1], 0\ns_mov_b32 s2, 0\n"
        "s_mov_b64 s[4:5], s[s_2_2:s_2_2+1]",
    )


@pytest.mark.parametrize(
    "text",
    [
        "s_mov_b64 vc$0c, 0",
        "v_mov_b32 v0, 1$02",
        ".set a, 4\nv_mov_b32 v[a$0], v1",
        ".macro M\nv_mov_b32 v$00, v1\n.endm\nM",
        "v_mov$0_b32 v0, v1",
        "// v$00",
        "$0",
    ],
)
def test_no_symbol(text: str) -> None:
    assert [title for title in offered(text) if title.startswith("Introduce")] == []


def test_encodings() -> None:
    to_64, to_32 = "Encode in 64 bits (_e64)", "Encode in 32 bits (_e32)"
    check_refactoring("v_add_f32$0 v0, v1, v2 // c", to_64, "v_add_f32_e64 v0, v1, v2 // c", same_bytes=False)
    check_refactoring("v_add_f32_e32 v0, v1, v2$0", to_64, "v_add_f32_e64 v0, v1, v2", same_bytes=False)
    check_refactoring("v_add_f32_e64 v$00, v1, v2", to_32, "v_add_f32_e32 v0, v1, v2", same_bytes=False)
    before, after = offered("v_add_f32_e64 v$00, v1, v2")[to_32]
    assert (len(before.section_bytes(".text")), len(after.section_bytes(".text"))) == (8, 4)
    for text in ("v_add_f32_e64 v$00, v1, -v2", "s_add_u32 s$00, s1, s2", "v_mov_b32 v$00, 0x12345", "v_nonsense$0 v0"):
        assert not offered(text).keys() & {to_64, to_32}, text


def test_waits() -> None:
    check_refactoring(
        "  s_waitcnt$0 vmcnt(3) & lgkmcnt(0) // both\n  s_nop 0",
        "Split into a wait for each counter",
        "  s_waitcnt vmcnt(3) // both\n  s_waitcnt lgkmcnt(0)\n  s_nop 0",
        same_bytes=False,
    )
    check_refactoring(
        "s_waitcnt$0 vmcnt(3) // a\ns_waitcnt lgkmcnt(0) vmcnt(2) // b\ns_nop 0",
        "Merge 2 waits into one",
        "s_waitcnt vmcnt(2) lgkmcnt(0) // a // b\ns_nop 0",
        same_bytes=False,
    )
    check_refactoring(
        "$0s_waitcnt vmcnt(3)\ns_waitcnt expcnt(0)\ns_waitcnt lgkmcnt(1)$0",
        "Merge 3 waits into one",
        "s_waitcnt vmcnt(3) expcnt(0) lgkmcnt(1)",
        same_bytes=False,
    )
    assert not offered("s_waitcnt$0 vmcnt(3)\ns_nop 0\ns_waitcnt lgkmcnt(0)")
    assert not offered("s_waitcnt$0 vmcnt(3)")


def test_waits_of_other_generations() -> None:
    check_refactoring(
        "s_wait_loadcnt$0 0x3\ns_wait_dscnt 0x1",
        "Merge 2 waits into one",
        "s_wait_loadcnt_dscnt 0x301",
        "gfx1200",
        same_bytes=False,
    )
    check_refactoring(
        "s_wait_storecnt_dscnt$0 0x301",
        "Split into a wait for each counter",
        "s_wait_storecnt 3\ns_wait_dscnt 1",
        "gfx1200",
        same_bytes=False,
    )
    assert not offered("s_wait_loadcnt$0 0x3\ns_wait_storecnt 0x1", "gfx1200")
    assert not offered("s_waitcnt$0 vmcnt(3)\ns_waitcnt_vscnt null, 0", "gfx1030")
    check_refactoring(
        "s_waitcnt_vscnt$0 null, 2\ns_waitcnt_vscnt null, 1",
        "Merge 2 waits into one",
        "s_waitcnt_vscnt null, 1",
        "gfx1030",
        same_bytes=False,
    )
    assert not offered("s_waitcnt_vscnt$0 s0, 2\ns_waitcnt_vscnt null, 1", "gfx1030")


def test_a_macro_of_selected_lines() -> None:
    check_refactoring(
        """
        .type f,@function
        f:
        s_nop 1
        $0  v_mov_b32 v0, v1 // c
        .if 1
        inner: s_branch inner
        .endif
        $0s_branch f
        """,
        "Extract a macro",
        """
        .type f,@function
        .macro EXTRACTED
          v_mov_b32 v0, v1 // c
        .if 1
        inner_\\@: s_branch inner_\\@
        .endif
        .endm
        f:
        s_nop 1
          EXTRACTED
        s_branch f
        """,
    )


def test_a_macro_with_parameters() -> None:
    check_refactoring(
        """
        .set a, 2
        l: $0v_add_f32 v0, -v[a+1], |v1|
        v_mov_b32 v0, s4 // v0
        s_load_dwordx2 s[4:5], s[0:1], 0
        v_cndmask_b32 v1, v[a+1], v0, vcc$0
        """,
        "Extract a macro with its registers as parameters",
        """
        .set a, 2
        .macro EXTRACTED v0, v_a_1, v1, s4, s_4_5, s_0_1
        l_\\@: v_add_f32 \\v0, -\\v_a_1, |\\v1|
        v_mov_b32 \\v0, \\s4 // v0
        s_load_dwordx2 \\s_4_5, \\s_0_1, 0
        v_cndmask_b32 \\v1, \\v_a_1, \\v0, vcc
        .endm
        EXTRACTED v0, v[a+1], v1, s4, s[4:5], s[0:1]
        """,
    )


@pytest.mark.parametrize(
    "text",
    [
        "$0v_mov_b32 v[0 + 1], 0$0",
        "$0s_nop 0$0",
        "\n".join(("$0v_mov_b32 v0, v0", *(f"v_mov_b32 v{number}, 0" for number in range(1, 11)))) + "$0",
    ],
)
def test_no_macro_with_parameters(text: str) -> None:
    found = offered(text)
    assert "Extract a macro" in found
    assert "Extract a macro with its registers as parameters" not in found


def test_a_macro_outside_of_functions_stands_before_its_call() -> None:
    check_refactoring(
        "s_nop 0\n$0s_nop 1$0\ns_nop 2",
        "Extract a macro",
        "s_nop 0\n.macro EXTRACTED\ns_nop 1\n.endm\nEXTRACTED\ns_nop 2",
    )


@pytest.mark.parametrize(
    "text",
    [
        "$0.if 1\ns_nop 0$0\n.endif",
        ".macro M\n$0s_nop 0$0\n.endm\nM",
        "$01: s_nop 0\ns_branch 1b$0",
        "$0x: s_nop 0$0\ns_branch x",
        "$0// nothing$0",
        "$0.macro M a\n.endm\ns_nop 0$0",
        "s_nop$0 0",
        '$0s_nop 0\n.ascii "x"$0',
    ],
)
def test_no_macro(text: str) -> None:
    assert "Extract a macro" not in offered(text)
