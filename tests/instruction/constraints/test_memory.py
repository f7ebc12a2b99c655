import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text"),
    [
        ("gfx900", "s_load_dword s0, s[2:3], 0 slc", "unknown-modifier", "slc"),
        ("gfx900", "global_atomic_add v0, v[2:3], v4, off", "missing-modifier", "global_atomic_add"),
        ("gfx900", "global_atomic_add v[2:3], v4, off glc", "unknown-modifier", "glc"),
        ("gfx90a", "global_load_dwordx2 v[1:2], v[2:3], off", "misaligned-register", "v[1:2]"),
        ("gfx90a", "ds_write2_b32 v0, v1, a2", "wrong-operand-kind", "a2"),
        ("gfx90a", "ds_gws_init v1 gds", "misaligned-register", "v1"),
        ("gfx900", "ds_gws_init v1 nogds", "unknown-modifier", "nogds"),
        ("gfx1250", "buffer_load_b32 v0, off, s[4:7], s8 scale_offset", "unknown-modifier", "scale_offset"),
        ("gfx1250", "tensor_load_to_lds s[64:67], s[64:71] r128", "unknown-modifier", "r128"),
        ("gfx1100", "s_waitcnt_vscnt s0, 0", "wrong-operand-kind", "s0"),
    ],
)
def test_broken(cpu: str, line: str, rule: str, text: str) -> None:
    assert problem_of(line, cpu)[:2] == (rule, text)


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "global_load_dwordx2 v[1:2], v[2:3], off"),
        ("gfx90a", "ds_write2_b32 v0, a1, a2"),
    ],
)
def test_right(cpu: str, line: str) -> None:
    assert code_of(line, cpu)


@pytest.mark.parametrize(
    "word", ["global_store_async_from_lds_b32 v[70:71], v30, off", "tensor_store_from_lds s[48:51], s[0:7]"]
)
def test_what_stores_from_lds_takes_hints_of_stores(word: str) -> None:
    assert code_of(f"{word} th:TH_STORE_NT", "gfx1250")
    assert "takes a th:TH_STORE_ hint" in problem_of(f"{word} th:TH_LOAD_NT", "gfx1250")[2]


@pytest.mark.parametrize(
    ("line", "said", "fix"),
    [
        (
            "global_store_b32 v[0:1], v2, off th:TH_LOAD_NT",
            "takes a th:TH_STORE_ hint: TH_STORE_NT, not",
            "TH_STORE_NT",
        ),
        (
            "global_store_b32 v[0:1], v2, off scope:SCOPE_DEV th:TH_LOAD_HT",
            "TH_STORE_HT, not TH_LOAD_HT",
            "TH_STORE_HT",
        ),
        ("global_load_b32 v2, v[0:1], off th:TH_STORE_NT_HT", "TH_LOAD_NT_HT, not TH_STORE_NT_HT", "TH_LOAD_NT_HT"),
        ("s_load_b32 s2, s[0:1], 0x0 th:TH_STORE_NT", "takes a th:TH_LOAD_ hint: TH_LOAD_NT, not", "TH_LOAD_NT"),
        ("global_atomic_add_u32 v[0:1], v2, off th:TH_LOAD_HT", "takes a th:TH_ATOMIC_ hint: TH_ATOMIC_RT, ", ""),
        ("global_store_b32 v[0:1], v2, off th:TH_LOAD_LU", "TH_STORE_RT, TH_STORE_NT, TH_STORE_HT, TH_STORE_WB", ""),
        ("global_store_b32 v[0:1], v2, off th:TH_STORE_NTT", "did you mean TH_STORE_NT?", "TH_STORE_NT"),
    ],
)
def test_the_hint_of_the_instructions_own_kind_is_the_fix(line: str, said: str, fix: str) -> None:
    (problem,) = assemble(line, "gfx1201").problems
    assert said in problem.message
    assert [each.new_text for each in problem.fixes] == [fix][: bool(fix)]
    for edit in problem.fixes:
        assert code_of(line[: edit.start] + edit.new_text + line[edit.end :], "gfx1201")
