"""What can be folded away, and that unbalanced blocks do no harm."""

from tests.support.ide import folds


def test_macros_repetitions_and_descriptors() -> None:
    text = """
        .macro m
        .rept 2
        s_nop 0
        .endr
        .endm
        .amdhsa_kernel k
        .amdhsa_next_free_vgpr 1
        .end_amdhsa_kernel
        """
    assert folds(text) == ["1-5 region", "2-4 region", "6-8 region"]


def test_each_branch_of_a_condition() -> None:
    text = """
        .if a
        s_nop 0
        .elseif b
        s_nop 1
        .else
        s_nop 2
        .endif
        """
    assert folds(text) == ["1-2 region", "3-4 region", "5-6 region"]


def test_comments() -> None:
    text = """
        ; one
        ; two
        s_nop 0
        /* three
        four */
        ; alone
        s_nop 0
        ; alone
        """
    assert folds(text) == ["1-2 comment", "4-6 comment"]


def test_metadata_is_one_range() -> None:
    text = """
        .amdgpu_metadata
        .if: 1
        .macro: 2
        .end_amdgpu_metadata
        """
    assert folds(text) == ["1-4 region"]


def test_metadata_of_pal_is_one_range() -> None:
    assert folds(".amdgpu_pal_metadata\n---\n.end_amdgpu_pal_metadata\n") == ["1-3 region"]


def test_a_comment_over_many_lines() -> None:
    lines = ["/* one", *["text"] * 300, "*/ s_nop 0", "; two", "; three"]
    assert folds("\n".join(lines)) == ["1-301 comment", "303-304 comment"]


def test_endrep_is_no_directive() -> None:
    assert folds(".rept 2\n.endrep\n.endr\n") == ["1-3 region"]


def test_unbalanced_blocks() -> None:
    assert folds(".if 1\ns_nop 0\n") == []
    assert folds(".endif\n.endm\n.else\n") == []
    assert folds(".macro m\n.if 1\n.endm\n") == ["1-3 region"]
    assert folds(".if 1\n.macro m\n.endif\n.endm\n.endif") == ["1-5 region", "2-4 region"]


def test_empty_file() -> None:
    assert folds("") == []
