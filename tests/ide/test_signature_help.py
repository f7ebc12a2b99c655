"""Signatures while operands are typed: which forms still fit, and which operand comes now."""

from tests.support.ide import signatures


def test_the_operand_at_the_cursor() -> None:
    assert signatures("v_add_f32 $0")[0] == "v_add_f32 <vdst>, src0, src1"
    assert signatures("v_add_f32 v0, $0")[0] == "v_add_f32 vdst, <src0>, src1"
    assert signatures("v_add_f32 v0, v$01, v2")[0] == "v_add_f32 vdst, <src0>, src1"
    assert signatures("v_add_f32 v0, v1, v2$0")[0] == "v_add_f32 vdst, src0, <src1>"


def test_only_forms_that_take_what_is_written() -> None:
    assert signatures("buffer_load_dword v0, off, $0") == [
        "buffer_load_dword vdata, off, <srsrc>, soffset [offset:u12] [glc] [slc]"
    ]
    with_address = signatures("buffer_load_dword v0, v1, s[0:3], $0")
    assert with_address
    assert all(" vaddr, srsrc, <soffset> " in text for text in with_address)


def test_modifiers_come_behind_the_operands() -> None:
    assert signatures("ds_read_b32 v0, v1 $0") == ["ds_read_b32 vdst, addr <[offset:u16]> [gds]"]


def test_what_nothing_takes_has_no_active_operand() -> None:
    assert signatures("s_mov_b32 v0, $0") == ["s_mov_b32 sdst, src0"]


def test_macro_calls() -> None:
    macro = ".macro COPY dst:req, src=0, rest:vararg\n.endm\n"
    assert signatures(f"{macro}COPY $0") == ["COPY <dst:req>, src=0, rest:vararg"]
    assert signatures(f"{macro}COPY v[1,2], $0") == ["COPY dst:req, <src=0>, rest:vararg"]
    assert signatures(f"{macro}COPY src=$0") == ["COPY dst:req, <src=0>, rest:vararg"]
    assert signatures(f"{macro}COPY 1, 2, 3, 4$0") == ["COPY dst:req, src=0, <rest:vararg>"]
    assert signatures(".macro NONE\n.endm\nNONE $0") == ["NONE"]


def test_directives() -> None:
    assert signatures(".set $0") == [".set symbol, expression"]


def test_nothing() -> None:
    for text in ("v_add$0_f32 v0", "$0", "x: $0", "// v_add_f32 $0", "nonsense $0", "x = $01"):
        assert signatures(text) == [], text


def test_a_file_without_a_target() -> None:
    assert signatures("v_add_f32 $0", None)[0] == "v_add_f32 <vdst>, src0, src1"
