"""Statements that write memory without saying so."""

import pytest

from tests.support.inline import fixed, found, in_function


def test_a_store() -> None:
    text = in_function('asm volatile("ds_write_b32 %0, %1" :: "v"(p), "v"(a));')
    assert found(text) == [("missing-memory-clobber", "ds_write_b32 %0, %1")]
    assert ': "memory")' in fixed(text)
    assert found(fixed(text)) == []


def test_a_load_into_lds() -> None:
    text = in_function('asm volatile("buffer_load_dword %0, %1, 0 offen lds" :: "v"(p), "s"(q));')
    assert [rule for rule, _ in found(text)] == ["missing-memory-clobber"]


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("ds_write_b32 %0, %1" :: "v"(p), "v"(a) : "memory");',
        'asm volatile("ds_read_b32 %0, %1\\ns_waitcnt lgkmcnt(0)" : "=v"(x) : "v"(p));',
        'asm volatile("ds_bpermute_b32 %0, %1, %2\\ns_waitcnt lgkmcnt(0)" : "=v"(x) : "v"(p), "v"(a));',
        'asm volatile("s_barrier");',
    ],
)
def test_what_writes_no_memory(statement: str) -> None:
    assert "missing-memory-clobber" not in [rule for rule, _ in found(in_function(statement))]
