"""The outline: the entries, their nesting, and their lines."""

from tests.support.ide import outline

_KERNEL = """
    .set v_tmp, 1
    v_acc = 2
    .set v_tmp, 3
    .globl my_kernel
    .type my_kernel,@function
    my_kernel:
    loop:
    s_branch loop
    1: s_endpgm
    .Lend:
    .size my_kernel, .Lend-my_kernel
    after:
    .amdhsa_kernel my_kernel
    .amdhsa_next_free_vgpr 1
    .amdhsa_next_free_sgpr 1
    .end_amdhsa_kernel
    .amdgpu_metadata
    amdhsa.version:
      - 1
    .end_amdgpu_metadata
"""


def test_kernel_with_its_labels_symbols_descriptor_and_metadata() -> None:
    assert outline(_KERNEL) == [
        "kernel my_kernel 6-11",
        "  label loop 7-7",
        "  label .Lend 10-10",
        "symbol v_tmp 1-1",
        "symbol v_acc 2-2",
        "label after 12-12",
        "descriptor my_kernel 13-16",
        "metadata code object metadata 17-20",
    ]


def test_functions_end_where_the_next_begins() -> None:
    text = """
        .type first,@function
        .type second,@function
        first:
        a:
        second:
        b:
        """
    assert outline(text) == ["function first 3-4", "  label a 4-4", "function second 5-7", "  label b 6-6"]


def test_macro_and_nothing_of_its_body() -> None:
    text = """
        .macro clear dst
        .set inner, 1
        loop\\@:
        .endm
        """
    assert outline(text) == ["macro clear 1-4"]


def test_blocks_that_are_not_closed() -> None:
    text = """
        .macro open
        .if 1
        label:
        """
    assert outline(text) == ["label label 3-3"]


def test_empty_file() -> None:
    assert outline("") == []


def test_a_run_of_symbols_is_one_entry() -> None:
    text = """
        .set a, 1
        b = 2
        .set c, 3
        .set d, 4
        start:
        .set e, 5
        """
    assert outline(text) == [
        "symbols 4 symbols 1-1",
        "  symbol a 1-1",
        "  symbol b 2-2",
        "  symbol c 3-3",
        "  symbol d 4-4",
        "label start 5-5",
        "symbol e 6-6",
    ]


def test_labels_for_debuggers_are_left_out() -> None:
    text = "f:\n.Lfunc_begin0:\ns_nop 0\n.Ltmp0:\n.LBB0_1:\ns_branch .LBB0_1\n.Lfunc_end0:\n"
    assert [line for line in outline(text) if ".L" in line] == ["label .LBB0_1 5-5"]
