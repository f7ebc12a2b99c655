"""Calls of macros and functions, in both directions."""

from tests.support.ide import calls

TEXT = """
    //- main.s
    .include "lib.inc"
    .macro OUTER
    INNER 1
    INNER 2
    .endm
    .amdhsa_kernel kern
    .amdhsa_next_free_vgpr 1
    .amdhsa_next_free_sgpr 1
    .end_amdhsa_kernel
    .type helper,@function
    kern:
    OUTER
    .macro LOCAL
    OUTER
    .endm
    s_getpc_b64 s[0:1]
    s_add_u32 s0, s0, helper@rel32@lo+4
    s_branch kern
    helper:
    INNER 3
    s_branch helper
    //- lib.inc
    .macro INNER n
    s_nop \\n
    .endm
    """


def at(place: str) -> tuple[list[str], list[str]]:
    return calls(TEXT.replace(place, place[0] + "$0" + place[1:], 1))


def test_macro() -> None:
    assert at("OUTER\n    INNER") == (
        ["kernel kern: main.s:12:OUTER", "macro LOCAL: main.s:14:OUTER"],
        ["macro INNER: main.s:3:INNER main.s:4:INNER"],
    )


def test_macro_of_an_included_file() -> None:
    assert at("INNER 1") == (
        ["macro OUTER: main.s:3:INNER main.s:4:INNER", "function helper: main.s:20:INNER"],
        [],
    )


def test_kernel_and_function() -> None:
    assert at("kern:") == ([], ["macro OUTER: main.s:12:OUTER", "function helper: main.s:17:helper"])
    assert at("helper:") == (["kernel kern: main.s:17:helper"], ["macro INNER: main.s:20:INNER"])


def test_code_outside_of_functions_belongs_to_the_file() -> None:
    assert calls(".macro $0M\n.endm\nM") == (["file kernel.s: kernel.s:3:M"], [])
