"""Kernel descriptors against LLVM's assembler: random blocks, the same decision and the same 64 bytes."""

import random
from collections.abc import Mapping

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.kernels import descriptor
from gcn_lsp.program import problems, program
from gcn_lsp.text import SourceText
from tests.support import llvm, llvm_object

pytestmark = pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)

TARGETS = (
    ("gfx600", ""),
    ("gfx700", ""),
    ("gfx803", ""),
    ("gfx801", ""),
    ("gfx900", ""),
    ("gfx906", "-xnack"),
    ("gfx908", "+xnack"),
    ("gfx90a", ""),
    ("gfx90a", "-xnack,+tgsplit"),
    ("gfx942", ""),
    ("gfx950", ""),
    ("gfx1010", ""),
    ("gfx1030", ""),
    ("gfx1030", "+wavefrontsize64"),
    ("gfx1100", ""),
    ("gfx1170", ""),
    ("gfx1200", ""),
    ("gfx1250", ""),
    ("gfx1310", ""),
)


def random_source(source: random.Random, target: isa.Target) -> str:
    """A kernel with a block of random fields, most of them right."""
    fields = descriptor.directives(target.features)
    wild = source.random() < 0.5
    names = [name for name in fields if name not in ("next_free_vgpr", "next_free_sgpr", "accum_offset")]
    chosen = source.sample(names, source.randint(0, min(len(names), 12)))
    if wild and source.random() < 0.1:
        chosen.append(source.choice(sorted(descriptor.all_names())))
    lines = [f"  .amdhsa_{name} {value_of(source, fields.get(name), wild)}" for name in chosen]
    lines += required(source, fields, wild)
    source.shuffle(lines)
    if wild and source.random() < 0.03:
        lines.insert(0, source.choice(("  s_nop 0", "  .set a, 1", "  .if 1", "  k1:")))
    label = source.choice(("k:", ".globl k\nk:", "k:"))
    section = source.choice((".rodata", ".text", ".rodata"))
    block = "\n".join((".amdhsa_kernel k", *lines, ".end_amdhsa_kernel"))
    return f"{label}\n s_endpgm\n{section}\n.p2align 6\n{block}\n"


def value_of(source: random.Random, field: "descriptor.DescriptorDirective | None", wild: bool) -> str:
    if field is None:
        return "1"
    most = field.maximum
    value = source.choice((0, 1, most, source.randint(0, most)))
    if field.name == "reserve_xnack_mask" and not wild:
        return "1" if source.random() < 0.5 else "0"
    if wild and source.random() < 0.08:
        value = source.choice((most + 1, -1, most + 7))
    return source.choice((str(value), hex(value), f"{value - 1}+1"))


def required(source: random.Random, fields: "Mapping[str, descriptor.DescriptorDirective]", wild: bool) -> list[str]:
    vgprs = source.choice((0, 1, 24, 64, 128, 255, 256, source.randint(0, 512 if wild else 256)))
    sgprs = source.choice((0, 1, 16, 32, 80, 96, source.randint(0, 110 if wild else 96)))
    written = {"next_free_vgpr": vgprs, "next_free_sgpr": sgprs}
    if "accum_offset" in fields:
        least = max(4, -(-vgprs // 4) * 4)
        written["accum_offset"] = source.randrange(4, min(least, 256) + 1, 4)
        if wild and source.random() < 0.3:
            written["accum_offset"] = source.randint(0, 260)
    lines = [f"  .amdhsa_{name} {value}" for name, value in written.items()]
    if wild and source.random() < 0.1:
        lines.pop(source.randrange(len(lines)))
    if wild and source.random() < 0.05:
        lines.append(lines[0])
    return lines


def compare(target: str, mattr: str, seed: int) -> "str | None":
    """A sentence about how the two differ on a random source; None when they agree."""
    text = random_source(random.Random(f"{target}{mattr}{seed}"), isa.load_target(target, mattr))
    built = program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target, mattr))
    found = [problem.problem.message for problem in problems.of(built)]
    expected = llvm_object.assemble(text.encode(), target, mattr)
    if expected.sections is None:
        return None if found else f"{text}\nLLVM refuses it: {expected.message}"
    if found:
        return f"{text}\nLLVM accepts it, we say: {found}"
    for section, code in expected.sections.items():
        if built.section_bytes(section) != code:
            return f"{text}\n{section} is not {code.hex()} but {built.section_bytes(section).hex()}"
    return None


@pytest.mark.parametrize(("target", "mattr"), TARGETS)
def test_random_blocks(target: str, mattr: str) -> None:
    for seed in range(25):
        difference = compare(target, mattr, seed)
        assert difference is None, difference


@pytest.mark.slow
@pytest.mark.parametrize(("target", "mattr"), TARGETS)
def test_many_random_blocks(target: str, mattr: str) -> None:
    for seed in range(1000):
        difference = compare(target, mattr, seed)
        assert difference is None, difference
