"""What reads and what writes the thing under the cursor."""

from tests.support.ide import highlights


def test_a_register_is_read_and_written_also_in_tuples() -> None:
    text = """
        v_mov_b32 v$05, v1
        global_load_dwordx4 v[4:7], v[0:1], off
        v_add_f32 v2, v4, v6
        v_fma_f32 v5, v5, -|v5|, v1
        global_store_dwordx2 v[0:1], v[4:5], off
        """
    assert highlights(text) == [
        "1:v5 write",
        "2:v[4:7] write",
        "4:v5 write",
        "4:v5 read",
        "4:v5 read",
        "5:v[4:5] read",
    ]


def test_a_tuple_touches_what_overlaps() -> None:
    found = highlights("s_mov_b64 s[2:3$0], 0\ns_mov_b32 s3, s4\ns_mov_b64 s[4:5], s[2:3]\ns_nop 0")
    assert found == ["1:s[2:3] write", "2:s3 write", "3:s[2:3] read"]


def test_symbols_in_indices_are_evaluated() -> None:
    assert highlights(".set acc, 4\nv_mov_b32 v[$0acc+1], v1\nv_mov_b32 v1, v5") == ["1:acc write", "2:acc read"]
    assert highlights(".set acc, 4\nv_mov_b32 v$0[acc+1], v1\nv_mov_b32 v1, v5") == ["2:v[acc+1] write", "3:v5 read"]


def test_special_registers_and_implicit_ones() -> None:
    text = """
        v_cmp_eq_u32 vcc, v0, v1
        s_cbranch_vccz end
        s_mov_b32 vcc_lo, s0
        v_cndmask_b32 v0, v1, v2, vc$0c
        s_and_b64 s[0:1], exec, s[2:3]
        end:
        """
    assert highlights(text) == [
        "1:vcc write",
        "2:s_cbranch_vccz read",
        "3:vcc_lo write",
        "4:vcc read",
    ]
    found = highlights("s_cmp_eq_u32 s0, s1\ns_mov_b32 s0, s$0cc\ns_cselect_b32 s0, 1, 2")
    assert found == ["1:s_cmp_eq_u32 write", "2:scc read", "3:s_cselect_b32 read"]


def test_arguments_of_a_call_do_what_the_expansion_does() -> None:
    text = """
        .macro MOVE dst, src
        v_mov_b32 \\dst, \\src
        v_mov_b32 v9, 0
        .endm
        MOVE v1, v2
        v_mov_b32 v2, v$01
        v_mov_b32 v9, v2
        """
    assert highlights(text) == ["5:v1 write", "6:v1 read"]
    assert highlights(text.replace("v$01", "v1").replace("v9, v2", "v$09, v2")) == ["5:MOVE write", "7:v9 write"]


def test_in_a_macro_only_its_body() -> None:
    text = ".macro M a\nv_mov_b32 v$01, v[\\a]\nv_mov_b32 v2, v1\n.endm\nv_mov_b32 v1, 0\nM 1\nM 5"
    assert highlights(text) == ["2:v1 write", "2:v[\\a] read", "3:v1 read"]


def test_repetitions() -> None:
    assert highlights(".rept 2\nv_mov_b32 v1, v2\n.endr\nv_mov_b32 v2, v$01") == ["2:v1 write", "4:v1 read"]


def test_symbols_labels_and_macros() -> None:
    assert highlights(".set si$0ze, 4\ns_mov_b32 s0, size\n.set size, size+1") == [
        "1:size write",
        "2:size read",
        "3:size write",
        "3:size read",
    ]
    assert highlights("lo$0op:\ns_branch loop // loop") == ["1:loop write", "2:loop read"]
    assert highlights(".macro M\n.endm\n$0M") == ["1:M write", "3:M read"]


def test_nothing() -> None:
    assert highlights("v_mov$0_b32 v0, v1") == []
    assert highlights("v_mov_b32 v0, v1 // v$00") == []
    assert highlights("s_mov_b32 s0, 1$02") == []
