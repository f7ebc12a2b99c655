"""Outputs that leave a statement before their value has arrived."""

from tests.support.inline import findings, in_function


def severities(statement: str, target: str = "gfx90a") -> list[tuple[str, str]]:
    return [(each.rule, each.severity.value) for each in findings(in_function(statement), target)]


def test_a_wait_in_another_statement() -> None:
    statement = 'asm volatile("ds_read_b32 %0, %1" : "=v"(x) : "v"(p) : "memory");'
    assert severities(statement) == [("outstanding-output", "information")]


def test_a_wait_for_another_load() -> None:
    statement = (
        'asm volatile("ds_read_b32 %0, %2\\nds_read_b32 %1, %2 offset:4\\ns_waitcnt lgkmcnt(1)"'
        ' : "=&v"(x), "=&v"(y) : "v"(p) : "memory");'
    )
    assert severities(statement) == [("outstanding-output", "warning")]


def test_a_wait_at_the_end() -> None:
    statement = 'asm volatile("ds_read_b32 %0, %1\\ns_waitcnt lgkmcnt(0)" : "=v"(x) : "v"(p) : "memory");'
    assert severities(statement) == []


def test_the_counters_of_a_newer_target() -> None:
    text = 'asm volatile("ds_load_b32 %0, %1{}" : "=v"(x) : "v"(p) : "memory");'
    assert severities(text.format(""), "gfx1200") == [("outstanding-output", "information")]
    assert severities(text.format("\\ns_wait_dscnt 0"), "gfx1200") == []
