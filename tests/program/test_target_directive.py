"""`.amdgcn_target` and `.amdgpu_info`: what is wrong with them, and where."""

import subprocess

import pytest

from gcn_lsp.program import problems
from gcn_lsp.program.directives import target
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText
from tests.support import llvm

ACCEPTED = (
    "amdgcn-amd-amdhsa--gfx900",
    "amdgcn-amd-amdhsa-unknown-gfx900:xnack+",
    "amdgpu-amd-amdhsa--gfx900",
    "amdgpu9-amd-amdhsa--gfx900",
    "amdgpu9.00-amd-amdhsa--gfx900",
    "amdgpu9.00-amd-amdhsa--",
)
REFUSED = {
    "gfx900": "is not a target ID",
    "amdgcn--gfx900": "is not a target ID",
    "x86_64-amd-amdhsa--gfx900": "is not a target ID",
    "amdgcn-amd-amdhsa--": "names no processor",
    "amdgcn-amd-amdhsa--vega10": "the processor's own name: gfx900, not vega10",
    "amdgpu9.0-amd-amdhsa--gfx900": "`amdgpu9.0` is not an architecture",
}


def mistakes(text: str) -> list[tuple[int, int, str]]:
    program = build(SourceText.from_bytes("k.s", text.encode()), Options(target="gfx900"))
    return [(found.where.line, found.where.start, found.problem.message) for found in problems.of(program)]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert mistakes(f'.amdgcn_target "{text}" // it') == []


@pytest.mark.parametrize("word", [".amdgcn_target", ".amd_amdgpu_isa"])
@pytest.mark.parametrize("text", REFUSED)
def test_refused_at_the_string(word: str, text: str) -> None:
    ((line, start, message),) = mistakes(f's_nop 0\n{word} "{text}"')
    assert (line, start) == (1, len(word) + 1)
    assert REFUSED[text] in message


def test_the_features_of_code_object_version_3() -> None:
    program = build(
        SourceText.from_bytes("k.s", b'.amdgcn_target "amdgcn-amd-amdhsa--gfx908+xnack+sram-ecc"'), Options("gfx908")
    )
    (found,) = problems.of(program)
    assert "spelling of code object version 3" in found.problem.message
    assert [(fix.start, fix.end, fix.new_text) for fix in found.problem.fixes] == [(35, 56, "gfx908:sramecc+:xnack+")]


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("text", [*ACCEPTED, *REFUSED, "amdgcn-amd-amdhsa--gfx900+xnack"])
def test_llvm_agrees(text: str) -> None:
    command = [llvm.LLVM_MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=null"]
    done = subprocess.run(command, input=f'.amdgcn_target "{text}"\n', capture_output=True, text=True)
    assert (done.returncode == 0) == (text in ACCEPTED), done.stderr


TRIPLES = (
    "amdgcn-amd-amdhsa", "amdgcn-amd-amdhsa-llvm", "amdgcn-amd-amdpal", "amdgcn-amd-mesa3d", "amdgcn-mesa-mesa3d",
    "amdgcn-unknown-amdhsa",
)  # fmt: skip
PARTS = (
    "amdgcn-amd-amdhsa--gfx900", "amdgcn-amd-amdhsa-unknown-gfx900", "amdgcn-amd-amdhsa-llvm-gfx900",
    "amdgcn-amd-amdhsa-foo-gfx900", "amdgcn-amd-amdhsa-gnu-gfx900", "amdgcn-amd-amdhsa-musl-gfx900",
    "amdgcn-amd-amdpal--gfx900", "amdgcn-amd-mesa3d--gfx900", "amdgcn-amd-linux--gfx900",
    "amdgcn-amd-amdhs--gfx900", "amdgcn-amd-AMDHSA--gfx900", "amdgcn-unknown-amdhsa--gfx900",
    "amdgcn-mesa-mesa3d--gfx900",
    "amdgcn-pc-amdhsa--gfx900", "amdgpu9.00-amd-amdhsa--gfx900", "amdgpu-amd-amdpal--gfx900",
)  # fmt: skip


@pytest.mark.parametrize("version", [22, 23])
@pytest.mark.parametrize("word", [".amdgcn_target", ".amd_amdgpu_isa"])
@pytest.mark.parametrize("text", PARTS)
def test_systems_and_environments(text: str, word: str, version: int) -> None:
    """Accepted if some triple for these targets takes it: which one the build has, the file does not say."""
    if not llvm.available(version):
        pytest.skip(f"llvm-mc-{version} is not installed")
    line = f'{word} "{text}"\n'
    is_accepted = any(
        subprocess.run(
            [f"llvm-mc-{version}", f"-triple={triple}", "-mcpu=gfx900", "-filetype=null"], input=line,
            capture_output=True, text=True,
        ).returncode == 0
        for triple in TRIPLES
    )  # fmt: skip
    program = build(SourceText.from_bytes("k.s", line.encode()), Options(target="gfx900", mattr=f"+llvm{version}"))
    assert ([found.problem.message for found in problems.of(program)] == []) == is_accepted


def test_an_architecture_covers_its_processor() -> None:
    """LLVM refuses it if the architecture is that of its command line."""
    message = target.mistake("amdgpu9.06-amd-amdhsa--gfx900")
    assert message == "`amdgpu9.06` does not cover gfx900, whose architecture is `amdgpu9.00`"


@pytest.mark.parametrize(
    "text", ["amdgcn-amd-amdhsa--gfx940", "amdgcn-amd-amdhsa--gfx1252", "amdgcn-amd-amdpal--gfx900"]
)
def test_other_rules_speak_of_former_and_unknown_processors(text: str) -> None:
    assert target.mistake(text) == ""


def test_a_name_is_known_only_after_expansion() -> None:
    text = '.macro head arch\n.amdgcn_target "amdgcn-amd-amdhsa--\\arch"\n.endm\nhead gfx900\n'
    assert mistakes(text) == []
    assert "not vega10" in mistakes(text.replace("head gfx900", "head vega10"))[0][2]


INFO = """.amdgpu_info f // of f
.amdgpu_flags 3
.amdgpu_num_sgpr 8 + 2 ; a sum
.amdgpu_num_vgpr 12
.amdgpu_num_agpr 0
.amdgpu_private_segment_size 16

.amdgpu_use lds
.amdgpu_call g
.amdgpu_indirect_call "v;i" // the type
.amdgpu_typeid "v"
.end_amdgpu_info
"""
BROKEN = (
    (".amdgpu_bogus 1", "`.amdgpu_bogus` is not an entry of `.amdgpu_info`"),
    (".amdgpu_use", "`.amdgpu_use` takes a symbol"),
    (".amdgpu_call", "`.amdgpu_call` takes a symbol"),
    (".amdgpu_indirect_call", "`.amdgpu_indirect_call` takes a string"),
    (".amdgpu_typeid 3", "`.amdgpu_typeid` takes a string"),
    ("123", "`123` is not an entry of `.amdgpu_info`"),
)


def test_information_on_a_function() -> None:
    assert mistakes(INFO) == []


def test_llvm_22_does_not_know_it() -> None:
    program = build(SourceText.from_bytes("k.s", INFO.encode()), Options(target="gfx900", mattr="+llvm22"))
    assert [(found.problem.rule, found.problem.message) for found in problems.of(program)] == [
        ("unknown-directive", "LLVM 22 does not know `.amdgpu_info`")
    ]


@pytest.mark.parametrize(("line", "message"), BROKEN)
def test_a_wrong_entry_of_it(line: str, message: str) -> None:
    assert mistakes(f"s_nop 0\n.amdgpu_info f\n {line}\n.end_amdgpu_info") == [(2, 1, message)]


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_knows_the_same_entries() -> None:
    command = [llvm.LLVM_MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=null"]
    assert subprocess.run(command, input=INFO.encode(), capture_output=True).returncode == 0
    for line, _ in BROKEN:
        text = f".amdgpu_info f\n{line}\n.end_amdgpu_info\n"
        assert subprocess.run(command, input=text.encode(), capture_output=True).returncode
