"""Target IDs by parts and the sub-architectures of triples, against LLVM 23."""

import subprocess

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.tables import target_id
from tests.support import llvm


def test_parts() -> None:
    found = target_id.parse("amdgpu12.50-amd-amdhsa-unknown-gfx1250:sramecc+:xnack-")
    assert found == target_id.TargetId(
        "amdgpu12.50", "12.50", "amd", "amdhsa", "unknown", "gfx1250", ":sramecc+:xnack-"
    )
    assert target_id.parse("gfx900") is target_id.parse("amdgcn--gfx900") is target_id.parse("") is None


@pytest.mark.parametrize(
    ("processor", "subarch", "family"),
    [
        ("gfx90a", "9.0a", "9.0a"),
        ("gfx90c", "9.0c", "9"),
        ("gfx950", "9.50", "9.4"),
        ("gfx810", "8.10", "8.10"),
        ("gfx1036", "10.36", "10.3"),
        ("gfx1154", "11.54", "11"),
        ("gfx1170", "11.70", "11.7"),
        ("gfx1251", "12.51", "12.5"),
        ("gfx1310", "13.10", "13"),
        ("gfx9-4-generic", "9.4", "9.4"),
        ("gfx11-generic", "11", "11"),
    ],
)
def test_a_processor_belongs_to_a_family(processor: str, subarch: str, family: str) -> None:
    assert target_id.subarch_of(processor) == subarch
    assert target_id.family_of(subarch) == family
    assert target_id.covers(subarch, processor)
    assert target_id.covers(family, processor)
    assert target_id.processor_of(subarch) == processor


def test_neighbours_are_not_covered() -> None:
    assert not target_id.covers("9.06", "gfx900")
    assert not target_id.covers("9", "gfx90a")
    assert not target_id.covers("12.50", "gfx1251")


@pytest.mark.parametrize(
    ("triple", "target"),
    [
        ("amdgpu12.50-amd-amdhsa", "gfx1250"),
        ("amdgpu9.0a-amd-amdhsa-unknown-", "gfx90a"),
        ("amdgpu12.5-amd-amdhsa", "gfx12-5-generic"),
        ("amdgpu6-amd-amdhsa", "gfx600"),
        ("amdgpu9.99-amd-amdhsa", None),
        ("amdgcn-amd-amdhsa", None),
        ("amdgpu9-amd-amdhsa-unknown-gfx900:xnack+", "gfx900"),
    ],
)
def test_a_triple_names_a_target(triple: str, target: str | None) -> None:
    assert isa.resolve_target(triple) == target


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("target", isa.target_names())
def test_llvm_names_the_same_processor(target: str) -> None:
    triple = f"amdgpu{target_id.subarch_of(target)}-amd-amdhsa"
    command = [llvm.LLVM_MC, f"-triple={triple}"]
    done = subprocess.run(command, input="s_nop 0\n", capture_output=True, text=True, check=True)
    assert f'.amdgcn_target "{triple}-unknown-{target}' in done.stdout
