"""The hand-written tables say what LLVM's assembler says, for a target of each generation."""

import itertools
from collections.abc import Iterable

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.isa.machine import registers
from gcn_lsp.isa.modifiers import dpp, offsets
from gcn_lsp.isa.operands import exports, formats, hwreg, sendmsg, swizzle
from gcn_lsp.isa.waits import waitcnt
from tests.isa.llvm import encodings, needs_llvm

pytestmark = needs_llvm

TARGETS = "gfx600 gfx700 gfx801 gfx900 gfx906 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1200 gfx1250".split()  # noqa: SIM905

every_target = pytest.mark.parametrize("target", TARGETS)


def word(code: bytes | None, mask: int = 0xFFFF, shift: int = 0, index: int = 0) -> int | None:
    """Bits of the dword at `index`, None when the line was refused."""
    if code is None:
        return None
    return int.from_bytes(code[index * 4 : index * 4 + 4], "little") >> shift & mask


def check(target: str, expected: dict[str, int | None], **bits: int) -> None:
    """Each line has this value in these bits, or is refused where it is None."""
    codes = [word(code, **bits) for code in encodings(target, list(expected))]
    got = dict(zip(expected, codes, strict=True))
    assert got == expected


@every_target
def test_versions(target: str) -> None:
    names = (predefined.GENERATION_NUMBER, predefined.GENERATION_MINOR, predefined.GENERATION_STEPPING)
    version = zip(names, predefined.version(target), strict=True)
    check(target, {f"s_mov_b32 s0, {name}": 128 + value for name, value in version}, mask=0xFF)


@every_target
def test_special_registers(target: str) -> None:
    known = isa.load_target(target).registers
    spellings = sorted(registers.known_spellings() - {"lds_direct", "src_lds_direct"})
    by_width = {
        1: [name for name in spellings if name not in known or known[name].dwords == 1],
        2: [name for name in spellings if name in known and known[name].dwords == 2],
    }
    for width, mnemonic in ((1, "s_mov_b32 s0"), (2, "s_mov_b64 s[0:1]")):
        check(
            target,
            {f"{mnemonic}, {name}": known[name].number if name in known else None for name in by_width[width]},
            mask=0xFF,
        )
    check(
        target,
        {f"v_mov_b32 v0, {name}": known[name].number if name in known else None for name in ("lds_direct",)},
        mask=0x1FF,
    )


@every_target
def test_sizes_of_register_files(target: str) -> None:
    known = isa.load_target(target)
    lines: dict[str, int | None] = {"s_mov_b32 s0, ttmp0": known.ttmp_base}
    for file, base in (("s", 0), ("ttmp", known.ttmp_base)):
        size = known.file_sizes[file]
        lines |= {f"s_mov_b32 s0, {file}{size - 1}": base + size - 1, f"s_mov_b32 s0, {file}{size}": None}
    check(target, lines, mask=0xFF)
    check(target, {"v_mov_b32 v0, v255": 511, "v_mov_b32 v0, v256": None}, mask=0x1FF)
    if known.file_sizes["a"]:
        check(target, {"v_accvgpr_read_b32 v0, a255": 511, "v_accvgpr_read_b32 v0, a256": None}, mask=0x1FF, index=1)


@every_target
def test_dpp_controls(target: str) -> None:
    known = dpp.controls(isa.load_target(target).features)
    lines: dict[str, int | None] = {}
    for name, value in itertools.product(sorted(dpp.all_names() - {"quad_perm", "dpp8"}), (None, 0, 1, 15, 16, 31)):
        written = name if value is None else f"{name}:{value}"
        code = known[name].code(value) if name in known else None
        lines[f"v_mov_b32_dpp v0, v1 {written} row_mask:0xf bank_mask:0xf"] = code
    check(target, lines, mask=0x1FF, shift=8, index=1)


@every_target
def test_hardware_registers(target: str) -> None:
    known = hwreg.names(isa.load_target(target).features)
    check(target, {f"s_getreg_b32 s0, hwreg({name})": known.get(name) for name in sorted(hwreg.all_names())}, mask=0x3F)


@every_target
def test_messages(target: str) -> None:
    known = sendmsg.messages(isa.load_target(target).features)
    operations = ["", *sorted({name for row in sendmsg._ROWS for name in row[2]})]
    lines: dict[str, int | None] = {}
    for name, operation in itertools.product(sorted(sendmsg.all_names()), operations):
        message = known.get(name)
        code = None
        if message and operation in message.operations:
            code = sendmsg.Fields(message.number, message.operations[operation]).pack()
        elif message and not operation and not message.operations:
            code = message.number
        lines[f"s_sendmsg sendmsg({', '.join(filter(None, (name, operation)))})"] = code
    check(target, lines)


@every_target
def test_export_targets(target: str) -> None:
    known = exports.targets(isa.load_target(target).features)
    indexed = [f"{name}{index}" for name in ("mrt", "pos", "param", "dual_src_blend") for index in (0, 1, 3, 4, 5, 8)]
    names = [*indexed, "mrtz", "null", "prim", "param31", "param32"]
    check(target, {f"exp {name} v0, v1, v2, v3": known.get(name) for name in names}, mask=0x3F, shift=4)


def _formats(target: str) -> Iterable[tuple[str, int | None]]:
    features = isa.load_target(target).features
    unified, numbers = formats.unified_formats(features), formats.number_formats(features)
    for name in sorted(formats.unified_formats(isa.load_target("gfx1010").features)):
        yield name, unified.get(name)
    for data, number in itertools.product(formats.DATA_FORMATS, numbers):
        code: int | None = formats.DATA_FORMATS[data] | numbers[number] << formats.NUMBER_SHIFT
        if unified:
            code = formats.unified(features, formats.DATA_FORMATS[data], numbers[number])
        yield f"{data},{number}", code


@pytest.mark.parametrize("target", [name for name in TARGETS if name < "gfx11" or name > "gfx1250"])
def test_buffer_formats(target: str) -> None:
    lines = {f"tbuffer_load_format_x v0, off, s[4:7], s4 format:[{name}]": code for name, code in _formats(target)}
    check(target, lines, mask=0x7F, shift=19)


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "gfx600"])
def test_swizzle_modes(target: str) -> None:
    known = swizzle.modes(isa.load_target(target).features)
    arguments = {
        "QUAD_PERM": (0, 1, 2, 3),
        "SWAP": (16,),
        "REVERSE": (32,),
        "BROADCAST": (8, 3),
        "ROTATE": (1, 5),
        "FFT": (31,),
    }
    lines = {
        f"ds_swizzle_b32 v0, v1 offset:swizzle({name}, {', '.join(map(str, values))})": swizzle.value(name, values)
        if name in known
        else None
        for name, values in arguments.items()
    }
    check(target, lines | {'ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, "01pip")': swizzle.mask_string("01pip")})


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "gfx1250"])
def test_wait_counters(target: str) -> None:
    known = waitcnt.fields(isa.load_target(target).features)
    idle = sum(field.placed(field.maximum) for field in known.values())
    lines: dict[str, int | None] = {}
    for name, field in known.items():
        for value in (0, 5, field.maximum):
            lines[f"s_waitcnt {name}({value})"] = idle & ~field.placed(field.maximum) | field.placed(value)
        lines[f"s_waitcnt {name}({field.maximum + 1})"] = None
    check(target, lines)


@every_target
def test_dependency_counters(target: str) -> None:
    known = waitcnt.depctr_fields(isa.load_target(target).features)
    every = waitcnt.depctr_fields(isa.load_target("gfx1100").features)
    for name, code in zip(every, encodings(target, [f"s_waitcnt_depctr {name}(0)" for name in every]), strict=True):
        value = word(code)
        assert (value is None) == (name not in known), name
        if value is not None:
            assert {other: field.taken(value) for other, field in known.items()} == {
                other: 0 if other == name else field.maximum for other, field in known.items()
            }


OFFSETS = (
    ("DS", "ds_read_b32 v0, v1 offset:{}"),
    ("MUBUF", "buffer_load_dword v0, off, s[4:7], s4 offset:{}"),
    ("FLAT", "flat_load_dword v0, v[2:3] offset:{}"),
    ("GLOBAL", "global_load_dword v0, v[2:3], off offset:{}"),
    ("SMEM", "s_load_dword s0, s[2:3], {}"),
    ("SMEM", "s_buffer_load_dword s0, s[4:7], {}"),
)


@every_target
def test_offset_ranges(target: str) -> None:
    known = isa.load_target(target)
    for family, pattern in OFFSETS:
        if not any(form.family == family for form in known.forms(pattern.split()[0])):
            continue
        allowed = offsets.offset_range(family, known.features, is_buffer="s_buffer" in pattern)
        assert allowed is not None
        values = (allowed.low - 1, allowed.low, max(allowed.high, allowed.tolerated))
        codes = encodings(target, [pattern.format(value) for value in (*values, values[-1] + 1)])
        assert [code is not None for code in codes] == [False, True, True, False], family
