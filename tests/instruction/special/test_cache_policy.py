import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "one", "other"),
    [
        ("gfx900", "glc slc", "slc glc"),
        ("gfx900", "glc", "noslc glc"),
        ("gfx942", "sc0 nt", "nt sc0"),
        ("gfx1201", "th:TH_LOAD_NT scope:SCOPE_SYS", "scope:SCOPE_SYS th:TH_LOAD_NT"),
    ],
)
def test_order_does_not_matter(cpu: str, one: str, other: str) -> None:
    line = "global_load_dword v0, v[2:3], off " if cpu != "gfx1201" else "global_load_b32 v0, v[2:3], off "
    assert code_of(line + one, cpu) == code_of(line + other, cpu) != code_of(line, cpu)


def test_stores_that_write_back_share_a_number_with_last_uses() -> None:
    store, load = "global_store_b32 v[2:3], v0, off th:", "global_load_b32 v0, v[2:3], off th:"
    codes = [code_of(line, "gfx1201") for line in (store + "TH_STORE_WB", load + "TH_LOAD_LU")]
    assert [code[12:14] for code in codes] == ["30", "30"]
    assert problem_of(store + "TH_STORE_LU", "gfx1201")[0] == "modifier-out-of-range"
    assert problem_of(load + "TH_LOAD_WB", "gfx1201")[0] == "modifier-out-of-range"


@pytest.mark.parametrize(
    ("cpu", "policy", "rule"),
    [
        ("gfx900", "glc glc", "duplicate-modifier"),
        ("gfx900", "scc", "unsupported-on-target"),
        ("gfx900", "sc0", "unsupported-on-target"),
        ("gfx1201", "th:TH_STORE_NT", "modifier-out-of-range"),
        ("gfx1201", "th:TH_FOO", "modifier-out-of-range"),
        ("gfx1201", "scope:SCOPE_FOO", "modifier-out-of-range"),
        ("gfx1201", "th:TH_LOAD_BYPASS", "operand-conflict"),
        ("gfx1201", "nv", "unsupported-on-target"),
    ],
)
def test_wrong_policies(cpu: str, policy: str, rule: str) -> None:
    mnemonic = "global_load_b32" if cpu == "gfx1201" else "global_load_dword"
    assert problem_of(f"{mnemonic} v0, v[2:3], off {policy}", cpu)[0] == rule
