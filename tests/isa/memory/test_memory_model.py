"""The table of the memory model against what clang makes of fences, that of hidden arguments against its metadata."""

import re
import subprocess
from pathlib import Path

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.kernels import implicit_arguments
from gcn_lsp.isa.memory import memory_model
from tests.analysis.compiled import CLANG, TARGETS, needs_clang

FENCES = """
kernel void give(global int *data, volatile global int *flag) {
  data[0] = 7;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  *flag = 1;
}
kernel void take(global int *data, volatile global int *flag, global int *out) {
  int found = *flag;
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  out[0] = data[found];
}
kernel void implicit(global int *data, global int *out) {
  out[0] = ((constant int *)__builtin_amdgcn_implicitarg_ptr())[data[0]];
}
"""
# A wait for loads is left out where none is in flight, one for the invalidation where nothing is loaded after it.
_LEFT_OUT = ("s_wait_loadcnt 0x0",)


SCOPES = {memory_model.WORK_GROUP: "workgroup", memory_model.AGENT: "agent", memory_model.SYSTEM: ""}


def compiled(target: str, folder: Path, scope: str = memory_model.AGENT) -> str:
    source = folder / "fences.cl"
    source.write_text(FENCES.replace('"agent"', f'"{SCOPES[scope]}"'))
    command = [CLANG, "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}"]
    done = subprocess.run(
        [*command, "-O2", "-w", "-S", "-o", "-", str(source)], capture_output=True, text=True, check=True
    )
    return done.stdout


def body(text: str, kernel: str) -> str:
    match = re.search(rf"^{kernel}:.*?s_endpgm", text, re.MULTILINE | re.DOTALL)
    assert match is not None
    return re.sub(r"[ \t]+", " ", match[0])


@needs_clang
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("target", TARGETS)
def test_fences(target: str, scope: str, tmp_path: Path) -> None:
    text = compiled(target, tmp_path, scope)
    found = memory_model.sequence(isa.load_target(target).features, scope)
    caches = re.findall(r"(?:buffer_(?:wb|inv|gl)|global_(?:inv|wb))\w*", body(text, "give") + body(text, "take"))
    assert caches == [step.split()[0] for step in (*found.release, *found.acquire) if not step.startswith("s_wait")]
    stored = "s_waitcnt_vscnt null, 0x0" if "s_waitcnt_vscnt null, 0x0" in found.release else ""
    for kernel, sequence in (("give", found.release), ("take", found.acquire)):
        rest = body(text, kernel)
        for step in sequence:
            if step in _LEFT_OUT or (stored and kernel == "give" and step != stored):
                continue
            assert step in rest, (kernel, step, rest)
            rest = rest[rest.index(step) :]


@needs_clang
@pytest.mark.parametrize("target", ["gfx900", "gfx1100"])
def test_hidden_arguments(target: str, tmp_path: Path) -> None:
    text = compiled(target, tmp_path)
    listed = re.findall(r"\.offset:\s+(\d+)\n\s+\.size:\s+(\d+)\n\s+\.value_kind:\s+(hidden_\w+)", text)
    first = 16  # two explicit arguments of 8 bytes
    known = {(offset + first, size, name) for offset, size, name in implicit_arguments.OFFSETS}
    places = {(int(offset), int(size), name) for offset, size, name in listed if name != "hidden_none"}
    assert len(places) > 10
    assert places <= known


def test_hidden_arguments_are_described_and_apart() -> None:
    end = 0
    for offset, size, name in implicit_arguments.OFFSETS:
        assert documentation.value_kind(name) is not None
        assert offset >= end
        end = offset + size
