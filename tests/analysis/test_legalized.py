"""LLVM's tests of barriers and asynchronous operations: silent as compiled, noticed when broken; all: `legalized`."""

import pytest

from tests.analysis import legalized, mutations, sweep

TEXT = """\
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.globl	first                           ; -- Begin function first
	.type	first,@function
first:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_mov_b32_e32 v3, v2
	buffer_wbl2 sc1
	s_waitcnt vmcnt(0)
	global_store_dword v[0:1], v2, off sc1
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.globl	second                          ; -- Begin function second
second:
	s_endpgm
.Lfunc_end1:
	.amdgpu_metadata
	.end_amdgpu_metadata
"""


def test_functions_are_cut_apart() -> None:
    first, second = legalized.functions(TEXT)
    assert first.startswith("\t.amdgcn_target")
    assert second.startswith("\t.amdgcn_target")
    assert ("first:" in first, "second:" in first) == (True, False)
    assert ("second:" in second, "amdgpu_metadata" in second) == (True, False)
    assert not list(legalized.functions("\t.text\n"))


def test_each_reading_of_a_place_must_excuse_it() -> None:
    first, _ = legalized.functions(TEXT)
    made = {(mutation.line, mutation.what): mutation for mutation in mutations.of_waits(first, "gfx942")}
    at_entry = made[(4, "vmcnt(0) removed")]
    assert mutations.excuse(first, at_entry) == "function entry"
    assert legalized.excuse(first, at_entry) is None  # the entry needs it
    behind = made[(7, "vmcnt(0) removed")]
    assert mutations.excuse(first, behind)  # it serves no register
    assert legalized.excuse(first, behind) == mutations.excuse_of_orders(first, behind)


@pytest.mark.skipif(legalized.is_missing, reason=legalized.MISSING)
def test_a_sample() -> None:
    found = []
    for each in legalized.compiled(["memory-legalizer-barriers*", "s-cluster-barrier", "asyncmark-gfx12plus"]):
        assert legalized.alarms(each) == []
        for function in legalized.functions(each.text):
            found += [outcome.how for outcome in legalized.outcomes(each, function)]
    assert found.count(sweep.NOTICED) > 50
    assert sweep.MISSED not in found
