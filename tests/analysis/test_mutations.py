from tests.analysis import mutations

TEXT = """\
kernel:
	global_load_dword v1, v0, s[2:3]
	s_load_dword s4, s[2:3], 0x0
	s_waitcnt vmcnt(0) lgkmcnt(0)         ; all of it
	v_add_f32_e32 v1, s4, v1
	s_nop 1
	v_readlane_b32 s0, v1, s4
	s_waitcnt expcnt(6)
	s_setpc_b64 s[30:31]
"""


def test_each_counter_is_removed_and_weakened_in_turn() -> None:
    found = list(mutations.of_waits(TEXT, "gfx900"))
    assert [(mutation.what, mutation.new_line) for mutation in found] == [
        ("vmcnt(0) removed", "\ts_waitcnt lgkmcnt(0)"),
        ("vmcnt(0) weakened", "\ts_waitcnt vmcnt(1) lgkmcnt(0)"),
        ("lgkmcnt(0) removed", "\ts_waitcnt vmcnt(0)"),
        ("lgkmcnt(0) weakened", "\ts_waitcnt vmcnt(0) lgkmcnt(1)"),
        ("expcnt(6) removed", ""),  # one more would be no wait
    ]
    assert [(mutation.line, mutation.expected) for mutation in found] == [(3, 4)] * 4 + [(7, 8)]


def test_the_text_keeps_its_lines() -> None:
    changed = [mutation.apply(TEXT) for mutation in mutations.of_waits(TEXT, "gfx900")]
    assert {text.count("\n") for text in changed} == {TEXT.count("\n")}
    assert len({*changed, TEXT}) == len(changed) + 1


def test_counts_end_where_the_field_does() -> None:
    text = "\ts_waitcnt vmcnt(14)\n\tv_nop\n"
    assert [mutation.what for mutation in mutations.of_waits(text, "gfx803")] == ["vmcnt(14) removed"]
    assert len(list(mutations.of_waits(text, "gfx900"))) == 2


def test_two_counters_in_one_number() -> None:
    text = "\ts_wait_loadcnt_dscnt 0x102\n\tv_nop\n"
    assert [(mutation.what, mutation.new_line) for mutation in mutations.of_waits(text, "gfx1200")] == [
        ("dscnt(2) removed", "\ts_wait_loadcnt_dscnt 0x13f"),
        ("dscnt(2) weakened", "\ts_wait_loadcnt_dscnt 0x103"),
        ("loadcnt(1) removed", "\ts_wait_loadcnt_dscnt 0x3f02"),
        ("loadcnt(1) weakened", "\ts_wait_loadcnt_dscnt 0x202"),
    ]


def test_waits_of_one_counter() -> None:
    text = "\ts_waitcnt_vscnt null, 0x0\n\ts_wait_kmcnt 0x0\n\tv_nop\n"
    assert [mutation.new_line for mutation in mutations.of_waits(text, "gfx1030")] == [
        "",
        "\ts_waitcnt_vscnt null, 0x1",
        "",
        "\ts_wait_kmcnt 0x1",
    ]


def test_wait_states() -> None:
    assert [(m.what, m.new_line, m.expected) for m in mutations.of_wait_states(TEXT)] == [
        ("s_nop 1 removed", "", 6),
        ("s_nop 1 shortened", "\ts_nop 0", 6),
    ]


def test_mitigations() -> None:
    text = "\ts_wait_alu depctr_va_sdst(0) depctr_va_vcc(0)\n\tv_nop\n"
    assert [(m.what, m.new_line) for m in mutations.of_mitigations(text)] == [
        ("depctr_va_sdst(0) removed", "\ts_wait_alu depctr_va_vcc(0)"),
        ("depctr_va_vcc(0) removed", "\ts_wait_alu depctr_va_sdst(0)"),
    ]


def test_stripped() -> None:
    assert mutations.count_waits(TEXT) == 2
    assert mutations.count_waits(mutations.stripped(TEXT)) == 0
    assert "s_nop" in mutations.stripped(TEXT)


def excuse(text: str, target: str = "gfx900") -> "str | None":
    return mutations.excuse(text, next(mutations.of_waits(text, target)))


LOAD = "f:\n\tglobal_load_dword v1, v0, s[2:3]\n"


def test_a_wait_for_a_register_has_no_excuse() -> None:
    assert excuse(f"{LOAD}\ts_waitcnt vmcnt(0)\n\tv_add_f32_e32 v2, v1, v1\n") is None
    assert excuse(f"{LOAD}\ts_waitcnt vmcnt(0)\n\tv_mov_b64 v[0:1], 0\n") is None
    clause = "\ts_clause 0x1\n\tds_load_b32 v8, v9\n\tds_load_b32 v2, v1\n"
    assert excuse(f"{LOAD}\ts_waitcnt vmcnt(0)\n{clause}") is None


def test_excuses() -> None:
    assert excuse("f:\n\ts_waitcnt vmcnt(0)\n\tv_nop\n") == "function entry"
    assert excuse(f"{LOAD}\ts_waitcnt vmcnt(0)\n\ts_nop 0\n\ts_setpc_b64 s[30:31]\n") == "return"
    assert excuse(f"{LOAD}\ts_waitcnt_vscnt null, 0x0\n\tv_mov_b32 v1, v0\n", "gfx1030") is not None
    for behind in ("s_barrier", "v_mov_b32 v2, v0", "s_mov_b32 s2, 0"):
        found = excuse(f"{LOAD}\ts_waitcnt vmcnt(0)\n\t{behind}\n")
        assert found is not None
        assert found.startswith("memory order")


def test_sources_count_for_waits_that_keep_them() -> None:
    store = "f:\n\tbuffer_store_dword v1, off, s[4:7], 0\n"
    assert excuse(f"{store}\ts_waitcnt expcnt(0)\n\tv_mov_b32 v1, 0\n", "gfx600") is None
    assert excuse(f"{store}\ts_waitcnt expcnt(0)\n\tv_mov_b32 v2, 0\n", "gfx600") is not None


def test_what_comes_round_a_loop_is_in_flight() -> None:
    loop = "f:\n\tv_nop\n.LBB0_1:\n\ts_waitcnt vmcnt(0)\n\tv_mov_b32 v1, 0\n\tglobal_load_dword v1, v0, s[2:3]\n"
    assert excuse(f"{loop}\ts_cbranch_scc1 .LBB0_1\n") is None
    assert excuse(f"{loop}\ts_endpgm\n") is not None


def test_what_was_waited_for_and_what_writes_nothing_is_not_in_flight() -> None:
    again = "\ts_waitcnt vmcnt(0)\n\tv_mov_b32 v1, 0\n"
    text = f"{LOAD}\ts_waitcnt vmcnt(0)\n\tv_nop\n{again}"
    assert mutations.excuse(text, list(mutations.of_waits(text, "gfx900"))[-1]) is not None
    store = "f:\n\tds_write_b32 v1, v1\n\tglobal_atomic_add v1, v1, s[0:1]\n"
    assert excuse(f"{store}{again}") is not None
    assert excuse(f"f:\n\tglobal_atomic_add v1, v2, v3, s[0:1] glc\n{again}") is None


def test_a_full_counter_needs_no_wait() -> None:
    text = f"{LOAD}\ts_waitcnt vmcnt(14)\n\tv_mov_b32 v1, 0\n"
    assert excuse(text, "gfx803") == "the counter is full: the hardware waits by itself"
    assert excuse(text) is None


def test_a_returning_atomic_has_read_its_data_when_its_result_is_there() -> None:
    text = "f:\n\tbuffer_atomic_add v8, v[2:3], s[4:7], 0 addr64 glc\n\ts_waitcnt expcnt(0)\n\tv_mov_b32 v8, 0\n"
    assert excuse(text, "gfx600") is not None
    assert excuse(text.replace(" glc", ""), "gfx600") is None


def test_flat_before_gfx9() -> None:
    text = "f:\n\tflat_load_dword v1, v[2:3]\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v1, 0\n"
    assert excuse(text) is None
    found = excuse('\t.amdgcn_target "amdgcn-amd-amdhsa--gfx803"\n' + text, "gfx803")
    assert found is not None
    assert found.startswith("FLAT before gfx9")


def test_a_function_has_waited_when_it_returns() -> None:
    text = f"{LOAD}\ts_swappc_b64 s[30:31], s[4:5]\n\ts_waitcnt vmcnt(0)\n\tv_mov_b32 v1, 0\n"
    assert excuse(text) is not None


def test_entries_and_returns_with_rules_of_their_own() -> None:
    text = (
        "f:\n\ts_wait_loadcnt_dscnt 0x0\n\ts_wait_expcnt 0x0\n\tds_load_b32 v0, v0\n\ts_wait_dscnt 0x0\n"
        "\ts_set_pc_i64 s[30:31]\n"
    )
    reasons = {
        (each.line, each.what): mutations.excuse_with_calls(text, each)
        for each in mutations.of_waits(text, "gfx1250")
        if each.what.endswith("removed")
    }
    assert {place for place, reason in reasons.items() if reason is None} == {
        (1, "dscnt(0) removed"), (1, "loadcnt(0) removed"), (4, "dscnt(0) removed"),
    }  # fmt: skip
    kernel = [
        mutations.excuse_with_calls(f"{text}.amdhsa_kernel f\n", each) for each in mutations.of_waits(text, "gfx1250")
    ]
    assert "kernel" in (kernel[0] or "")
