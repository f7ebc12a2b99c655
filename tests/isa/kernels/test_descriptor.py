"""The directives of a kernel descriptor: ranges, defaults and bits, and the same from LLVM."""

import struct
import subprocess

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.kernels import descriptor
from tests.isa.llvm import LLVM_MC, needs_llvm

TARGETS = (
    "gfx600", "gfx801", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1170", "gfx1200",
    "gfx1250", "gfx1310",
)  # fmt: skip


def known(target: str) -> dict[str, descriptor.DescriptorDirective]:
    return dict(descriptor.directives(isa.load_target(target).features))


def test_bits_of_a_word_do_not_overlap() -> None:
    for target in isa.target_names():
        taken: set[tuple[str, int]] = set()
        for directive in known(target).values():
            bits = {(directive.word, directive.shift + bit) for bit in range(directive.bits) if directive.word}
            assert not taken & bits, (target, directive.name)
            taken |= bits
            assert directive.bits <= 8 * descriptor.WORDS.get(directive.word, (0, 8))[1]


def test_some_directives_are_for_some_targets() -> None:
    assert "accum_offset" in known("gfx90a")
    assert "accum_offset" not in known("gfx908")
    assert "dx10_clamp" not in known("gfx1200")
    assert known("gfx90a")["user_sgpr_kernarg_preload_length"].maximum == 16


def test_registers_are_counted_in_blocks() -> None:
    blocks = {target: descriptor.granularity(isa.load_target(target).features) for target in ("gfx900", "gfx90a")}
    assert (blocks["gfx900"].vgpr, blocks["gfx90a"].vgpr) == (4, 8)


@needs_llvm
@pytest.mark.parametrize("target", TARGETS)
def test_each_directive_sets_the_bits_that_llvm_sets(target: str) -> None:
    features = isa.load_target(target).features
    base = assembled(target, {})
    assert base is not None
    for name in sorted(descriptor.all_names() - {"next_free_vgpr", "next_free_sgpr", "accum_offset"}):
        directive = known(target).get(name)
        if directive is None:
            assert assembled(target, {name: 1}) is None, name
            continue
        if directive.feature == "FeatureXNACK" or directive.user_sgprs:
            continue  # must agree with the target's name; sets the number of SGPRs as well
        value = 1 - (directive.default_on(features) or 0) if directive.width == 1 else min(directive.maximum, 31)
        changed = assembled(target, {name: value})
        assert changed is not None, name
        offset = descriptor.WORDS[directive.word][0] * 8 + directive.shift if directive.word else 0
        flipped = (value ^ (directive.default_on(features) or 0)) << offset if directive.word else 0
        assert changed ^ base == flipped, name


def assembled(target: str, values: dict[str, int]) -> int | None:
    """The descriptor as a number, without the entry offset, for these directives; None when one is refused."""
    required = {"next_free_vgpr": 0, "next_free_sgpr": 0}
    if "accum_offset" in known(target):
        required["accum_offset"] = 4
    written = "\n".join(f".amdhsa_{name} {value}" for name, value in (required | values).items())
    source = f"k:\n s_endpgm\n.rodata\n.amdhsa_kernel k\n{written}\n.end_amdhsa_kernel\n"
    command = [LLVM_MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-filetype=obj", "-o", "-"]
    run = subprocess.run(command, input=source.encode(), capture_output=True)
    if run.returncode:
        return None
    code = bytearray(_section(run.stdout, b".rodata"))
    code[16:24] = bytes(8)
    return int.from_bytes(code, "little")


def _section(elf: bytes, name: bytes) -> bytes:
    (table,) = struct.unpack_from("<Q", elf, 40)
    count, names = struct.unpack_from("<HH", elf, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, table + 64 * index) for index in range(count)]
    for header in headers:
        start = headers[names][4] + header[0]
        if elf[start : elf.index(0, start)] == name:
            return elf[header[4] : header[4] + header[5]]
    raise LookupError(name)
