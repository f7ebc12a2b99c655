"""What a kernel finds in registers and memory at its start, by generation; launches that are refused."""

import struct
from typing import Any

import numpy as np
import pytest

from gcn_lsp.machine import dispatch, kernels
from gcn_lsp.machine.arguments import Number, WrongLaunch
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.launch import Launch, Prepared, UsualBlock, prepare, usual_block
from gcn_lsp.machine.memory import Memory
from tests.machine.programs import image

METADATA = """
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 48
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 16
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 12
    .max_flat_workgroup_size: 256
    .args:
      - {.name: x, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.name: n, .size: 4, .offset: 8, .value_kind: by_value}
      - {.size: 4, .offset: 16, .value_kind: hidden_block_count_x}
      - {.size: 2, .offset: 28, .value_kind: hidden_group_size_x}
      - {.size: 2, .offset: 34, .value_kind: hidden_remainder_x}
      - {.size: 2, .offset: 40, .value_kind: hidden_grid_dims}
...
.end_amdgpu_metadata
"""


def kernel_text(fields: str) -> str:
    return f"""
.text
k:
  s_nop 0
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 32
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_private_segment_fixed_size 16
  {fields}
.end_amdhsa_kernel
{METADATA}
"""


def launched(text: str, target: str, grid: tuple[int, int, int], block: tuple[int, int, int], **more: Any) -> Prepared:
    made, memory = image(text, target), Memory()
    made.load(memory)
    (kernel,) = kernels.of(made)
    given = {"x": np.arange(4, dtype=np.float32), "n": 7}
    return prepare(made, memory, kernel, Launch(grid, block, given, **more))


def test_the_kernarg_segment_has_arguments_and_hidden_ones() -> None:
    prepared = launched(kernel_text(""), "gfx900", (130, 1, 1), (64, 1, 1))
    data = prepared.kernarg.data.tobytes()
    assert struct.unpack_from("<QI", data) == (prepared.buffers["x"].base, 7)
    assert struct.unpack_from("<I", data, 16) == (2,)
    assert struct.unpack_from("<H", data, 28) == (64,)
    assert struct.unpack_from("<H", data, 34) == (2,)
    assert struct.unpack_from("<H", data, 40) == (1,)
    assert prepared.buffers["x"].data.view(np.float32).tolist() == [0, 1, 2, 3]
    assert prepared.lds == 256


@pytest.mark.parametrize(
    ("old", "new", "lds"),
    [
        (".amdhsa_group_segment_fixed_size 256", ".amdhsa_group_segment_fixed_size 64", 64),
        (".amdhsa_group_segment_fixed_size 256", "", 0),
        (".group_segment_fixed_size: 256", ".group_segment_fixed_size: 64", 256),
        (".amdhsa_group_segment_fixed_size 256", ".amdhsa_group_segment_fixed_size missing", 256),
    ],
)
def test_the_descriptor_says_how_much_lds_there_is(old: str, new: str, lds: int) -> None:
    prepared = launched(kernel_text("").replace(old, new), "gfx900", (64, 1, 1), (64, 1, 1))
    assert prepared.lds == lds
    assert prepared.packet.data[28:32].tobytes() == lds.to_bytes(4, "little")


def test_the_packet_has_the_sizes() -> None:
    prepared = launched(kernel_text(""), "gfx900", (128, 4, 1), (64, 2, 1))
    data = prepared.packet.data.tobytes()
    assert struct.unpack_from("<HHH", data, 4) == (64, 2, 1)
    assert struct.unpack_from("<IIIII", data, 12) == (128, 4, 1, 16, 256)
    assert struct.unpack_from("<Q", data, 40) == (prepared.kernarg.base,)


def test_gfx900_has_user_sgprs_then_ids_and_a_register_for_each_axis() -> None:
    fields = """.amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_system_vgpr_workitem_id 1"""
    prepared = launched(kernel_text(fields), "gfx900", (128, 8, 1), (64, 2, 1))
    wave = dispatch.start(prepared, (1, 3, 0), 1).wave
    assert wave.pair(0) == prepared.packet.base
    assert wave.pair(2) == prepared.kernarg.base
    assert wave.sgprs[4:6].tolist() == [1, 3]
    assert wave.vgprs[0].tolist() == list(range(64))
    assert wave.vgprs[1].tolist() == [1] * 64
    assert wave.exec == (1 << 64) - 1


def test_gfx90a_packs_the_ids_of_work_items() -> None:
    fields = """.amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_vgpr_workitem_id 2
  .amdhsa_accum_offset 8"""
    prepared = launched(kernel_text(fields), "gfx90a", (8, 4, 2), (8, 4, 2))
    wave = dispatch.start(prepared, (0, 0, 0), 0).wave
    assert [int(wave.vgprs[0, lane]) for lane in (0, 9, 63)] == [0, 1 | 1 << 10, 7 | 3 << 10 | 1 << 20]


def test_gfx1200_has_the_ids_of_work_groups_in_trap_registers() -> None:
    fields = ".amdhsa_user_sgpr_kernarg_segment_ptr 1"
    prepared = launched(kernel_text(fields), "gfx1200", (128, 3, 4), (64, 1, 1))
    assert prepared.kernel.lanes == 32
    started = dispatch.start(prepared, (1, 2, 3), 1)
    base = prepared.image.target.ttmp_base
    assert int(started.wave.sgprs[base + 9]) == 1
    assert int(started.wave.sgprs[base + 7]) == 2 | 3 << 16
    assert int(started.wave.sgprs[base + 8]) >> 25 == 1
    assert started.wave.pair(0) == prepared.kernarg.base


def test_gfx942_preloads_arguments() -> None:
    fields = """.amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_kernarg_preload_length 2
  .amdhsa_user_sgpr_kernarg_preload_offset 1
  .amdhsa_accum_offset 8"""
    prepared = launched(kernel_text(fields), "gfx942", (64, 1, 1), (64, 1, 1))
    wave = dispatch.start(prepared, (0, 0, 0), 0).wave
    assert wave.sgprs[2:4].tolist() == [prepared.buffers["x"].base >> 32, 7]


def test_work_groups_at_the_edge_are_smaller() -> None:
    prepared = launched(kernel_text(""), "gfx900", (100, 1, 1), (64, 1, 1))
    assert list(dispatch.groups(prepared)) == [(0, 0, 0), (1, 0, 0)]
    assert dispatch.waves_of(prepared, (1, 0, 0)) == 1
    assert dispatch.start(prepared, (1, 0, 0), 0).wave.exec == (1 << 36) - 1


def test_a_kernel_of_amd_kernel_code_t() -> None:
    text = """
.text
other:
  s_nop 0
k:
  .amd_kernel_code_t
    enable_sgpr_kernarg_segment_ptr = 1
    enable_sgpr_workgroup_id_x = 1
    user_sgpr_count = 2
    workgroup_group_segment_byte_size = 128
  .end_amd_kernel_code_t
  s_endpgm
"""
    made, memory = image(text, "gfx803"), Memory()
    made.load(memory)
    (kernel,) = kernels.of(made)
    assert (kernel.name, made.steps[kernel.entry].mnemonic) == ("k", "s_endpgm")
    prepared = prepare(made, memory, kernel, Launch((128, 1, 1), (64, 1, 1), {"n": 3}))
    wave = dispatch.start(prepared, (1, 0, 0), 0).wave
    assert wave.pair(0) == prepared.kernarg.base
    assert int(wave.sgprs[2]) == 1
    assert prepared.lds == 128


def test_a_descriptor_that_is_data() -> None:
    """No directive sets bit 11 of the first word of registers: an object that has it shows its descriptor as data."""
    fields = ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
    fields += ".amdhsa_group_segment_fixed_size 64\n.amdhsa_accum_offset 8\n"
    (block,) = kernels.of(image(kernel_text(fields), "gfx90a"))
    data = next(each.data for each in image(kernel_text(fields), "gfx90a").sections if each.name == ".rodata")
    words = list(struct.unpack("<16I", data))
    words[12] |= 1 << 11
    written = f".long {', '.join(map(str, words[:4]))}\n.quad k-k.kd\n.long {', '.join(map(str, words[6:]))}\n"
    text = f".text\nk:\n  s_nop 0\n  s_endpgm\n.rodata\n.p2align 6\nk.kd:\n{written}{METADATA}"
    (kernel,) = kernels.of(image(text, "gfx90a"))
    assert (kernel.entry, kernel.inputs) == (block.entry, block.inputs)
    assert (kernel.lds, kernel.kernarg_size, len(kernel.arguments or ())) == (256, 48, 6)
    assert not kernels.of(image(text.replace(", 0\n\n.amdgpu", "\n.amdgpu"), "gfx90a"))  # cut short


@pytest.mark.parametrize(
    ("fields", "grid", "expected"),
    [
        ({"work_group": (16, 8, 1), "most": 128}, (64, 64, 1), UsualBlock((16, 8, 1), ".reqd_workgroup_size")),
        ({"most": 128}, (512, 1, 1), UsualBlock((128, 1, 1), ".max_flat_workgroup_size")),
        ({"most": 128}, (100, 4, 1), UsualBlock((100, 1, 1), "the grid")),
        ({"most": 32, "values": {"user_sgpr_dispatch_ptr": 1}}, (512, 1, 1), UsualBlock((32, 1, 1), "")),
        ({"most": 128, "values": {"user_sgpr_dispatch_ptr": 1}}, (512, 1, 1), UsualBlock((64, 1, 1), "")),
        ({"most": 128, "needs_whole_groups": True}, (192, 1, 1), UsualBlock((64, 1, 1), "")),
        ({"most": 128, "needs_whole_groups": True}, (256, 1, 1), UsualBlock((128, 1, 1), ".max_flat_workgroup_size")),
        ({}, (512, 1, 1), UsualBlock((64, 1, 1), "")),
    ],
)
def test_the_work_group_where_a_launch_gives_none(
    fields: "dict[str, Any]", grid: "tuple[int, int, int]", expected: UsualBlock
) -> None:
    assert usual_block(Kernel("k", 0, **fields), grid) == expected


def test_a_kernel_with_the_size_as_an_argument_asks_for_it() -> None:
    (kernel,) = kernels.of(image(kernel_text("") + METADATA, "gfx90a"))
    assert kernel.asks_for_block


def test_a_launch_by_hand() -> None:
    made, memory = image("k:\n s_endpgm\n", "gfx900"), Memory()
    made.load(memory)
    kernel = kernels.by_hand(made, "k")
    assert kernel is not None
    registers = {"s[4:5]": "kernarg", "s6": "group_x", "v3": "item_x", "s[8:9]": "x", "s7": "0x11"}
    launch = Launch((128, 1, 1), (64, 1, 1), {"x": np.zeros(4)}, registers)
    prepared = prepare(made, memory, kernel, launch)
    wave = dispatch.start(prepared, (1, 0, 0), 0).wave
    assert wave.pair(4) == prepared.kernarg.base
    assert wave.pair(8) == prepared.buffers["x"].base
    assert wave.sgprs[6:8].tolist() == [1, 0x11]
    assert wave.vgprs[3].tolist() == list(range(64))


@pytest.mark.parametrize(
    ("registers", "said"),
    [
        ({"q4": "kernarg"}, "'q4' is not a register such as"),
        ({"s4": "what"}, "'what' for s4 is neither a number nor one of group_x"),
        ({"v4": "kernarg"}, "'kernarg' for v4 is not one of item_x"),
        ({"s999": "1"}, "there is no s999: a wave of gfx900 has s0 to s101"),
        ({"s[5:4]": "1"}, r"there is no s\[5:4\]"),
        ({"v256": "item_x"}, "there is no v256: a wave of gfx900 has v0 to v255"),
    ],
)
def test_a_wrong_register_is_a_sentence(registers: dict[str, str], said: str) -> None:
    prepared = launched(kernel_text(""), "gfx900", (64, 1, 1), (64, 1, 1), registers=registers)
    with pytest.raises(WrongLaunch, match=said):
        dispatch.start(prepared, (0, 0, 0), 0)


@pytest.mark.parametrize(
    ("grid", "block", "more", "said"),
    [
        ((64, 0, 1), (64, 1, 1), {}, "at least one work-item"),
        ((1 << 32, 1, 1), (64, 1, 1), {}, "the grid of 4294967296x1x1 is too large: it has at most 4294967295 along"),
        ((512, 1, 1), (512, 1, 1), {}, "a work-group of 512 work-items is too large: kernel k takes at most 256"),
        (
            (64, 1, 1),
            (64, 1, 1),
            {"dynamic_lds": 1 << 16},
            "65792 bytes of LDS are too many: .*at most 65536",
        ),
    ],
)
def test_a_wrong_size_is_a_sentence(
    grid: tuple[int, int, int], block: tuple[int, int, int], more: dict[str, Any], said: str
) -> None:
    with pytest.raises(WrongLaunch, match=said):
        launched(kernel_text(""), "gfx900", grid, block, **more)


def test_a_group_of_another_size_than_required_is_a_sentence() -> None:
    made, memory = image("k:\n s_endpgm\n", "gfx900"), Memory()
    made.load(memory)
    entry = made.symbol("k")
    assert entry is not None
    kernel = Kernel("k", entry, work_group=(8, 8, 1), needs_whole_groups=True)
    with pytest.raises(WrongLaunch, match="requires work-groups of 8x8x1, not 64x1x1"):
        prepare(made, memory, kernel, Launch((64, 1, 1), (64, 1, 1)))
    with pytest.raises(WrongLaunch, match="the grid of 12x8x1 is not a multiple of the work-group 8x8x1"):
        prepare(made, memory, kernel, Launch((12, 8, 1), (8, 8, 1)))


def test_lds_whose_size_only_the_launch_knows() -> None:
    kernel = Kernel("k", 0, arguments=(kernels.KernelArgument("shared", 0, 4, "dynamic_shared_pointer"),), lds=64)
    made, memory = image("k:\n s_endpgm\n", "gfx900"), Memory()
    entry = made.symbol("k")
    assert entry is not None
    kernel = Kernel("k", entry, arguments=kernel.arguments, lds=64)
    prepared = prepare(made, memory, kernel, Launch((64, 1, 1), (64, 1, 1), {"shared": Number(256)}))
    assert prepared.lds == 320
    assert int.from_bytes(prepared.kernarg.data[:4].tobytes(), "little") == 64


def test_sections_are_linked() -> None:
    text = """
.text
k:
  s_getpc_b64 s[4:5]
  s_add_u32 s4, s4, table@rel32@lo+4
  s_addc_u32 s5, s5, table@rel32@hi+12
  s_add_u32 s6, s6, far@gotpcrel32@lo+4
  s_endpgm
.data
table: .long 1, 2
far: .quad k
"""
    made, memory = image(text, "gfx900"), Memory()
    made.load(memory)
    start, table, far = (made.symbol(name) for name in ("k", "table", "far"))
    assert start is not None
    assert table is not None
    assert far is not None
    code = [step.code for step in made.steps.values()]
    low, high = (int.from_bytes(each[4:8], "little", signed=True) for each in code[1:3])
    assert start + 4 + low + (high << 32) == table
    assert int.from_bytes(memory.read(far, 8), "little") == start
    slot = start + 4 + 8 + 8 + 4 + int.from_bytes(code[3][4:8], "little", signed=True) - 4
    assert int.from_bytes(memory.read(slot, 8), "little") == far
    assert made.symbol_at(start + 8) == "k+0x8"
