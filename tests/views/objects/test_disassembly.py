"""Code objects become text that assembles to the same code, descriptors and notes."""

import shutil
import subprocess
from pathlib import Path

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.machine import elf_machines
from gcn_lsp.program import program
from gcn_lsp.program.program import Options
from gcn_lsp.text import SourceText
from gcn_lsp.views.objects import elf, view
from tests.support import llvm
from tests.support.elf import Part, code_object

LLD = next((name for name in ("ld.lld-22", "ld.lld") if shutil.which(name)), "")
KERNELS = Path(__file__).parent.parent.parent / "data"

LOOP = b"".join(word.to_bytes(4, "little") for word in (0xBE800080, 0x81008100, 0xBF008100, 0xBF84FFFD, 0xBF810000))

SOURCE = """
	.amdgcn_target "amdgcn-amd-amdhsa--{target}"
	.amdhsa_code_object_version 5
	.text
	.globl scale
	.protected scale
	.p2align 8
	.type scale,@function
scale:
	s_load_dwordx2 s[0:1], s[4:5], 0x0
	s_mov_b32 s2, 0
	s_getpc_b64 s[6:7]
.Lpc:
	s_add_u32 s6, s6, .Lend-.Lpc
	s_addc_u32 s7, s7, 0
.Lloop:
	s_add_u32 s2, s2, 1
	s_cmp_lt_u32 s2, 0x64
	s_cbranch_scc1 .Lloop
	s_branch .Lend
	.long 0xffffffff
.Lend:
	s_endpgm
.Lsize:
	.size scale, .Lsize-scale
	.fill 12, 4, 0
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel scale
		.amdhsa_next_free_vgpr 17
		.amdhsa_next_free_sgpr 9
		{accum}
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_float_denorm_mode_32 3
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: scale
    .symbol: scale.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 9
    .vgpr_count: 17
    .max_flat_workgroup_size: 256
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
"""


def text(data: bytes, **options: str) -> str:
    return view.of(data, **options).text.decode()


def raw(data: bytes, target: str) -> str:
    found = bytearray()
    view.write_raw(data, found.extend, target)
    return found.decode()


def test_branches_go_to_labels_and_words_that_are_no_instruction_are_data() -> None:
    found = text(code_object(LOOP + b"\xff\xff\xff\xff", [("loop", 0, 20, 1)]))
    assert found.splitlines()[2:] == [
        "\t.text",
        "\t.p2align 8",
        "\t.globl loop",
        "\t.protected loop",
        "\t.type loop,@function",
        "loop:",
        "\ts_mov_b32 s0, 0",
        ".L4:",
        "\ts_add_i32 s0, s0, 1",
        "\ts_cmp_eq_i32 s0, 1",
        "\ts_cbranch_scc0 .L4",
        "\ts_endpgm",
        "\t.size loop, .-loop",
        "\t.long 0xffffffff",
    ]


def test_sums_with_the_program_counter_name_labels() -> None:
    # s_getpc_b64 s[4:5]; s_add_u32 s4, s4, 0x10; s_addc_u32 s5, s5, 0; s_setpc_b64 s[4:5]; s_endpgm
    forward = bytes.fromhex("001c84be04ff04801000000005800582041d80be000081bf")
    found = text(code_object(forward, [("k", 0, 24, 1)])).splitlines()
    assert found[-7:-1] == [
        ".L4:",
        "\ts_add_u32 s4, s4, .L14-.L4",
        "\ts_addc_u32 s5, s5, 0",
        "\ts_setpc_b64 s[4:5]",
        ".L14:",
        "\ts_endpgm",
    ]
    back = bytes.fromhex("000080bf001c84be04ff0480f8ffffff05c10582041d80be")
    assert "\ts_add_u32 s4, s4, .L0-.L8" in text(code_object(back, [("k", 0, 24, 1)]))
    built = program.build(SourceText.from_bytes("x.s", view.of(code_object(back)).text), Options(target="gfx942"))
    assert built.section_bytes(".text") == back


def test_sums_of_64_bits_name_labels() -> None:
    # s_get_pc_i64 s[4:5]; s_add_nc_u64 s[4:5], s[4:5], lit64(0x10); s_set_pc_i64 s[4:5]; s_endpgm
    forward = bytes.fromhex("004784be04fe84a91000000000000000044880be0000b0bf")
    data = code_object(forward, [("k", 0, 24, 1)], flags=0x49)
    found = text(data)
    assert "\ts_add_nc_u64 s[4:5], s[4:5], .L14-.L4\n" in found
    built = program.build(SourceText.from_bytes("x.s", found.encode()), Options(target="gfx1250"))
    assert built.section_bytes(".text") == forward
    back = forward.replace(bytes.fromhex("1000000000000000"), (-4 & (1 << 64) - 1).to_bytes(8, "little"))
    assert "s[4:5], .L0-.L4" in text(code_object(back, [("k", 0, 24, 1)], flags=0x49))


def test_a_short_literal_of_a_sum_of_64_bits_stays_a_number() -> None:
    """The assembler gives a difference of labels 64 bits."""
    short = bytes.fromhex("004784be04ff84a90c000000044880be0000b0bf")
    assert "s[4:5], lit(0xc)\n" in text(code_object(short, [("k", 0, 20, 1)], flags=0x49))


def test_a_sum_that_is_no_place_in_the_code_stays_a_number() -> None:
    beyond = bytes.fromhex("001c84be04ff04801020000005800582041d80be")
    assert "\ts_add_u32 s4, s4, 0x2010" in text(code_object(beyond, [("k", 0, 20, 1)]))
    other = bytes.fromhex("001c84be04ff06801000000005800582041d80be000081bf")  # to s6
    assert "-.L" not in text(code_object(other, [("k", 0, 24, 1)]))


def test_several_labels_at_one_address_are_all_there() -> None:
    found = text(code_object(LOOP, [("one", 0, 0, 1), ("two", 0, 0, 1)]))
    assert found.index("one:") < found.index("two:") < found.index("s_mov_b32")


def test_an_instruction_whose_bits_the_assembler_does_not_give_is_data() -> None:
    # s_mov_b32 s0, 0x5 as a literal: the assembler takes the inline constant for 5 unless `lit` says otherwise.
    assert "\ts_mov_b32 s0, lit(0x5)" in text(code_object(bytes.fromhex("ff0080be05000000")))
    # A bit that no operand of v_nop shows.
    assert "\t.long 0x7e000001" in text(code_object(bytes.fromhex("0100007e")))


def test_one_kernel_alone() -> None:
    data = code_object(LOOP + LOOP, [("first", 0, 20, 1), ("second", 20, 20, 1)])
    found = text(data, kernel="second")
    assert "first" not in found
    assert "second:" in found
    assert found.count("s_endpgm") == 1


def test_the_map_takes_places_both_ways() -> None:
    found = view.of(code_object(LOOP, [("loop", 0, 20, 1)]))
    lines = found.text.decode().splitlines()
    line = lines.index("\ts_cbranch_scc0 .L4")
    origin = found.origin(line)
    assert origin is not None
    assert (origin.address, origin.size, origin.symbol, origin.distance) == (12, 4, "loop", 12)
    assert found.line(12) == found.line(15) == line
    assert found.line(1000) is None
    assert found.origin(0) is None


def test_raw_words_for_a_target() -> None:
    for data in (LOOP, b"be800080 81008100", b"0x80,0x00,0x80,0xbe"):
        assert "\ts_mov_b32 s0, 0" in raw(data, "gfx942")


def test_the_wave_size_is_the_descriptors() -> None:
    descriptor = bytearray(64)
    descriptor[56:58] = (1 << 10).to_bytes(2, "little")
    code = bytes.fromhex("01040a50")
    rodata = [Part(".rodata", bytes(descriptor), 1, 2, 64)]
    symbols = [("k", 0, 4, 1), ("k.kd", 0, 64, 2)]
    assert "vcc_lo" in text(code_object(code, symbols, rodata, flags=0x36))
    rodata = [Part(".rodata", bytes(64), 1, 2, 64)]
    assert "vcc_lo" not in text(code_object(code, symbols, rodata, flags=0x36))


def test_the_program_of_the_text_has_the_same_bytes() -> None:
    found = view.of(code_object(LOOP + b"\xff\xff\xff\xff" + bytes(16), [("loop", 0, 20, 1)]))
    built = program.build(SourceText.from_bytes("x.s", found.text), Options(target="gfx942"))
    assert built.section_bytes(".text") == LOOP + b"\xff\xff\xff\xff" + bytes(16)


def test_every_known_processor_is_a_target_or_a_newer_one() -> None:
    assert elf_machines.NAMES[0x3F] == "gfx90a"
    assert elf_machines.NAMES[0x49] == "gfx1250"
    assert elf_machines.NAMES[0x63] == "gfx13-generic"
    assert isa.target_names()[0] in elf_machines.NAMES.values()
    assert set(isa.target_names()) <= set(elf_machines.NAMES.values())


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.skipif(not LLD, reason="ld.lld is not installed (Debian package lld-22)")
@pytest.mark.parametrize("target", ["gfx900:xnack-", "gfx90a:sramecc+:xnack-", "gfx942", "gfx950"])
@pytest.mark.parametrize("is_linked", [False, True])
def test_round_trip_through_llvm(tmp_path: Path, target: str, is_linked: bool) -> None:
    accum = ".amdhsa_accum_offset 20" if target.startswith(("gfx90a", "gfx94", "gfx95")) else ""
    source = SOURCE.format(target=target, accum=accum).replace(
        "---\n", f"---\namdhsa.target: amdgcn-amd-amdhsa--{target}\n"
    )
    first = made(tmp_path, "first", source.encode(), target, is_linked)
    found = view.of(first)
    second = made(tmp_path, "second", found.text, target, is_linked)
    one, other = elf.read(first), elf.read(second)
    assert one.target_id == other.target_id == target
    assert one.version == other.version == 5
    for name in (".text", ".rodata", ".note"):
        assert _section(one, name) == _section(other, name), name
    assert sorted(map(str, one.symbols)) == sorted(map(str, other.symbols))
    assert b".amdgpu_metadata" in found.text
    assert b".amdhsa_next_free_vgpr" in found.text


def _section(code: elf.CodeObject, name: str) -> bytes:
    return next(section.data for section in code.sections if section.name == name)


def made(folder: Path, name: str, source: bytes, target: str, is_linked: bool) -> bytes:
    (folder / f"{name}.s").write_bytes(source)
    cpu, *settings = target.split(":")
    switches = ",".join(f"{setting[-1]}{setting[:-1]}" for setting in settings)
    command = [llvm.LLVM_MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu}", f"-mattr={switches}", "-filetype=obj"]
    subprocess.run([*command, f"{folder}/{name}.s", "-o", f"{folder}/{name}.o"], check=True)
    if is_linked:
        subprocess.run([LLD, "-shared", f"{folder}/{name}.o", "-o", f"{folder}/{name}.co"], check=True)
    return (folder / f"{name}.{'co' if is_linked else 'o'}").read_bytes()
