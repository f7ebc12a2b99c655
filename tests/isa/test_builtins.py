"""The table of builtins is what clang makes of them: a sample is compiled again."""

import random
import shutil

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import builtins, generate
from gcn_lsp.isa.generation import builtins as generation
from gcn_lsp.isa.generation.builtins import Kernel
from gcn_lsp.isa.tables import reader

CLANG = {22: "clang-22", 23: "clang-23"}
TARGETS = ("gfx803", "gfx906", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1250")
CLASSES = (("v", "v"), ("s", "s"), ("v", "s"), ("s", "v"), ("p", "p"))


@pytest.mark.parametrize("version", CLANG)
def test_the_table_is_as_it_was_written(version: int) -> None:
    text = (reader.DATA / str(version) / generation.FILE).read_text(encoding="utf-8")
    assert generate.is_whole(text)


@pytest.mark.parametrize("version", CLANG)
@pytest.mark.parametrize("target", TARGETS)
def test_a_builtin_becomes_its_instruction(version: int, target: str) -> None:
    clang = shutil.which(CLANG[version])
    if clang is None:
        pytest.skip(f"{CLANG[version]} is not installed")
    rows = [row for name in builtins.names() for row in builtins.named(name, version) if row.is_on(target)]
    exact = [row for row in rows if row.operands]
    chosen = random.Random(f"{version} {target}").sample(exact, 12)
    compiler = generation._Compiler(clang, (f"-mcpu={target}",))
    kernels = []
    for row in chosen:
        given = iter(row.constants)
        constants = [next(given) if "_Constant" in each else "" for each in row.arguments]
        generation._Compiler.constants[row.name] = constants
        about = generation.Builtin(row.name, row.result, row.arguments)
        kernels += [Kernel(about, classes * len(row.arguments), result) for classes, result in CLASSES]
        kernels += generation._mixed(about)
    found: dict[str, list[generation.Compiled]] = {}
    for kernel, compiled in compiler.compiled(kernels):
        found.setdefault(kernel.builtin.name, []).append(compiled)
    wrong = [
        row.name
        for row in chosen
        if not any(set(row.instructions) <= set(each.mnemonics) for each in found.get(row.name, ()))
    ]
    assert wrong == []


def test_what_an_instruction_is_made_of() -> None:
    target = isa.load_target("gfx90a")
    assert [each.name for each in builtins.becoming("v_perm_b32", target)] == ["__builtin_amdgcn_perm"]
    assert [each.name for each in builtins.becoming("v_rcp_f32_e32", target)] == ["__builtin_amdgcn_rcpf"]
    assert builtins.becoming("v_add_u32", target) == ()
    med = builtins.on("__builtin_amdgcn_fmed3f", target)
    assert med is not None
    assert med.operands == ("=", "%0", "%1", "%2")
    assert med.arguments == ("float", "float", "float")


def test_a_builtin_that_a_target_lacks() -> None:
    assert builtins.on("__builtin_amdgcn_permlane64", isa.load_target("gfx90a")) is None
    found = builtins.on("__builtin_amdgcn_permlane64", isa.load_target("gfx1100"))
    assert found is not None
    assert found.instructions == ("v_permlane64_b32",)
    assert builtins.named("__builtin_amdgcn_absent") == ()
    assert builtins.versions_with("__builtin_amdgcn_absent") == ()


def test_a_builtin_of_one_version_of_clang() -> None:
    name = "__builtin_amdgcn_image_bvh8_intersect_ray"
    assert name in builtins.names()
    assert builtins.versions_with(name) == (22,)
    assert builtins.versions_with("__builtin_amdgcn_rcpf") == (23, 22)
    assert builtins.on(name, isa.load_target("gfx1200")) is None
    found = builtins.on(name, isa.load_target("gfx1200", "+llvm22"))
    assert found is not None
    assert found.instructions == ("image_bvh8_intersect_ray",)


def test_each_instruction_of_the_table_is_one_of_the_target() -> None:
    for name in TARGETS:
        target = isa.load_target(name)
        for builtin in builtins.names():
            row = builtins.on(builtin, target)
            for mnemonic in row.instructions if row is not None else ():
                assert mnemonic == builtins.SEVERAL or target.has_forms(mnemonic), (name, builtin, mnemonic)
