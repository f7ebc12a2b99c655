"""What hovers draw and decode: bit fields, lanes, numbers, waits, resource descriptors."""

import re
from collections.abc import Sequence

import pytest

from gcn_lsp import isa
from gcn_lsp.ide.describe import accepts, bit_fields, encoding, lanes, numbers, syntax
from gcn_lsp.ide.describe.bit_fields import Bits
from gcn_lsp.isa.memory import resources
from gcn_lsp.isa.memory.resource_layouts import LAYOUTS, ROLES
from tests.support import check
from tests.support.ide import check_hover, hover_text

# Bit fields


def test_boxes_from_the_highest_bit_down() -> None:
    drawn = bit_fields.draw([Bits(0, 8, "src", "3"), Bits(27, 1, "fixed", "1"), Bits(28, 12, "wide", "0x12")], 64)
    assert drawn.split("\n") == [
        "  31:28   27      26:8   7:0",
        "+-------+-------+------+-----+",
        "| wide  | fixed |      | src |",
        "| 0x12  | 1     |      | 3   |",
        "+-------+-------+------+-----+",
        "  63:40   39:32",
        "+-------+-------+",
        "|       | wide  |",
        "|       | 0x12  |",
        "+-------+-------+",
    ]


def test_an_instruction_is_drawn_with_its_values() -> None:
    check_hover(
        "v_add_$0f32 v3, v1, v2",
        "  31:25      24:17   16:9   8:0\n",
        "| fixed    | vdst  | src1 | src0  |\n| 0000001b | 3     | 2    | 0x101 |",
    )
    check_hover("s_mov$0_b32 s7, 0x4f800000", "  63:32\n", "| literal    |\n| 0x4f800000 |")


@pytest.mark.parametrize(
    ("target", "text", "drawn", "row"),
    [
        (
            "gfx700",
            "s_load_dword s0, s[2:3], 0x10",
            "| imm | offset |\n| 1100000000b | 0     | 1          | 1   | 0x10",
            "| imm | 8 |",
        ),
        ("gfx700", "s_load_dword s0, s[2:3], s4", "| imm | soffset |", "| imm | 8 | 0 | 1: bits 7:0 are an offset"),
        ("gfx803", "s_load_dword s0, s[2:3], 0x10", "| imm | glc |", "| imm | 17 | 1 |"),
        ("gfx908", "s_load_dword s0, s[2:3], s4 offset:0x10", "| nv | soe |", "| soe | 14 | 1 | 1: soffset is added |"),
    ],
)
def test_bits_that_no_operand_fills_have_names(target: str, text: str, drawn: str, row: str) -> None:
    found = hover_text(text.replace("_load", "_$0load"), target)
    assert found is not None
    assert drawn in found
    assert row in found


@pytest.mark.parametrize("target", ["gfx600", "gfx90a", "gfx1030", "gfx1100", "gfx1201"])
def test_every_form_can_be_drawn(target: str) -> None:
    chosen = isa.load_target(target)
    for mnemonic in chosen.mnemonics[::7]:
        for form in chosen.forms(mnemonic):
            drawing = encoding.drawn(form, chosen, bytes(form.size))
            bits = [text for line in drawing.split("\n")[::5] for text in line.split()]
            widths = [int(text.split(":")[0]) - int(text.split(":")[-1]) + 1 for text in bits]
            assert sum(widths) == form.size * 8, form.name


# Lanes


def reads(text: str, target: str = check.DEFAULT_TARGET) -> list[int | None]:
    """The source lanes in the drawing of a hover."""
    found = hover_text(text, target)
    assert found is not None
    rows = re.findall(r"^reads (.*)$", found, re.MULTILINE)
    return [None if word == "-" else int(word) for row in rows for word in row.split()]


@pytest.mark.parametrize(
    ("control", "target", "expected"),
    [
        ("quad_perm:[1,0,3,2]", "gfx900", [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]),
        ("row_shl:3", "gfx900", [*range(3, 16), None, None, None]),
        ("row_shr:2", "gfx900", [None, None, *range(14)]),
        ("row_ror:1", "gfx900", [15, *range(15)]),
        ("row_mirror", "gfx900", list(range(15, -1, -1))),
        ("row_half_mirror", "gfx900", [*range(7, -1, -1), *range(15, 7, -1)]),
        ("wave_shr:1", "gfx900", [None, *range(63)]),
        ("wave_rol:1", "gfx900", [*range(1, 64), 0]),
        ("row_bcast:15", "gfx900", [None] * 16 + [15] * 16 + [31] * 16 + [47] * 16),
        ("row_bcast:31", "gfx900", [None] * 32 + [31] * 32),
        ("row_newbcast:3", "gfx90a", [3] * 16),
        ("row_share:5", "gfx1030", [5] * 16),
        ("row_xmask:1", "gfx1030", [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]),
        ("dpp8:[7,6,5,4,3,2,1,0]", "gfx1030", [7, 6, 5, 4, 3, 2, 1, 0]),
    ],
)
def test_dpp(control: str, target: str, expected: list[int | None]) -> None:
    assert reads(f"v_mov$0_b32_dpp v0, v1 {control}", target) == expected
    name = control.partition(":")[0]
    assert reads(f"v_mov_b32_dpp v0, v1 {control.replace(name, name[:2] + '$0' + name[2:], 1)}", target) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("swizzle(QUAD_PERM,3,2,1,0)", [lane ^ 3 for lane in range(16)]),
        ("swizzle(SWAP,4)", [lane ^ 4 for lane in range(16)]),
        ("swizzle(REVERSE,8)", [lane ^ 7 for lane in range(16)]),
        ("swizzle(REVERSE,32)", [lane ^ 31 for lane in range(32)]),
        ("swizzle(BROADCAST,8,3)", [lane // 8 * 8 + 3 for lane in range(16)]),
        ("swizzle(ROTATE,0,5)", [(lane + 5) % 32 for lane in range(32)]),
        ("swizzle(ROTATE,1,5)", [(lane - 5) % 32 for lane in range(32)]),
        ("0xc43c", [lane & 0x1C | (lane - 1) & 3 for lane in range(16)]),
        ("swizzle(FFT,0)", [int(f"{lane:05b}"[::-1], 2) for lane in range(32)]),
        ("swizzle(FFT,0x1f)", list(range(16))),
        ("swizzle(FFT,0x10)", [int(f"{lane:05b}"[::-1], 2) >> 1 | lane & 0x10 for lane in range(16)]),
        ('swizzle(BITMASK_PERM,"00p10")', [lane & 4 | 2 for lane in range(32)]),
        ("0x041f", [lane ^ 1 for lane in range(16)]),
    ],
)
def test_swizzles(pattern: str, expected: list[int]) -> None:
    assert reads(f"ds_swizz$0le_b32 v0, v1 offset:{pattern}") == expected
    assert reads(f"ds_swizzle_b32 v0, v1 off$0set:{pattern}") == expected


def test_swizzles_that_reach_over_32_lanes() -> None:
    target = isa.load_target("gfx900")
    assert "lane n reads lane n + 3\n" in lanes.swizzle_pattern(target, 0xC000 | 3 << 5)
    assert "mirrored, shifted down by 1; bits 0x2" in lanes.swizzle_pattern(target, 0xE000 | 2)
    assert "lane n" not in lanes.swizzle_pattern(isa.load_target("gfx803"), 0xE000 | 2)  # four lanes there


# Numbers


def test_a_number_in_all_notations() -> None:
    check_hover(
        "v_add_u32 v0, 0x3f8$000000, v1",
        "| decimal | `1065353216` |",
        "| hexadecimal | `0x3f80_0000` |",
        "| binary | `0b11_1111_1000_0000_0000_0000_0000_0000` |",
        "| octal | `07740000000` |",
        "| as f32 | `1.0` |",
        "In an operand of 32 bits: inline constant.",
    )
    check_hover(".set a, 6$05", "| decimal | `65` |", "literal")
    check_hover("s_nop 0\n.long 0xbf80000$02\ns_endpgm", "Among the code, these data are:")
    check_hover("s_nop 0\n.long 0xbf80000$02\ns_endpgm", "s_nop 2")
    check_hover(".long 6$05", "| decimal | `65` |")
    assert "literal" not in (hover_text(".long 6$05") or "")
    check_hover("v_mov_b32 v0, -$01", "-1 (0xffffffff)", "| decimal | `-1` |", "| hexadecimal | `0xffff_ffff` |")
    assert "| as f64 | `1.0` |" in numbers.table(0x3FF0000000000000, 64)
    assert "`4294967295, signed -1`" in numbers.table(0xFFFFFFFF)
    assert numbers.table(-17).count("literal") == 1


# Waits and the like


def test_immediates_both_ways() -> None:
    check_hover("s_waitcnt 0x$0f70", "Immediate 0xf70 is `vmcnt(0)`")
    check_hover("s_waitcnt vmc$0nt(0)", "Immediate 0xf70 is `vmcnt(0)`", target="gfx900")
    check_hover("s_wait_loadcnt_d$0scnt 0x301", "| `loadcnt` | 13:8 | 3 |", "| `dscnt` | 5:0 | 1 |", target="gfx1200")
    check_hover(
        "s_waitcnt_dep$0ctr 0xfffe", "is `depctr_sa_sdst(0)`", "| `depctr_va_vdst` | 15 | (no wait) |", target="gfx1030"
    )
    check_hover(
        "s_delay$0_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)",
        "is `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)`",
        target="gfx1100",
    )


# Registers


def test_numbers_and_names_of_registers() -> None:
    check_hover("v_mov_b32 v$05, s6", "Operand number 261 in source fields.")
    check_hover("v_mov_b32 v5, s$06", "Operand number 6 in operand fields.")


def test_names_on_other_targets() -> None:
    check_hover("global_load_dw$0ord v0, v[0:1], off", "Elsewhere it is `global_load_b32` on GFX11, GFX12, GFX13")


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        ("s_mov_b32 s0, $048", "| decimal | `48` |", "as f32"),
        ("v_add_u32 v0, 0x1$023, v1", "0x123", "as f16"),
        ("v_add_f32 v0, $048, v1", "| as f32 | `6.7e-44` |", "nothing"),
        ("s_mov_b32 s0, 0x3f8$000000", "| as f32 | `1.0` |", "nothing"),
        ("s_setprio $03", "Priority 3, the highest.", "as f"),
        ("s_setprio $02", "Priority 2 of 0 to 3.", "as f"),
        ("v_cmp_class_f32 vcc, v0, v1", "", "Tests for"),
        ("v_cmp_class_f32_e64 vcc, v0, $03", "Tests for: signalling NaN, quiet NaN.", "as f32"),
        ("v_cmp_class_f32_e64 vcc, v0, $00", "Tests for nothing.", "as f32 | `-"),
    ],
)
def test_numbers_as_their_instruction_reads_them(text: str, said: str, unsaid: str) -> None:
    found = hover_text(text if "$0" in text else text.replace("v1", "v$01"))
    assert found is not None
    assert said in found
    assert unsaid not in found


# Resources


def resource(text: str, target: str = check.DEFAULT_TARGET) -> str:
    found = hover_text(text, target)
    assert found is not None
    return found


WORDS = "s_mov_b64 s[4:5], 0\ns_movk_i32 s6, 0x100\ns_mov_b32 s7, 0x20000\n"


def test_a_buffer_whose_words_are_constants() -> None:
    found = resource(f"{WORDS}buffer_load_dword v0, off, s[4$0:7], 0")
    for row in (
        "| `num_records` | 95:64 | 0x100 |",
        "| `data_format` | 114:111 | 4 | 32 |",
        "| `type` | 127:126 | 0 | buffer |",
    ):
        assert row in found
    assert "Suspicious" not in found


def test_a_stride_whose_upper_bits_are_the_data_format() -> None:
    text = "s_mov_b64 s[4:5], 0\ns_mov_b32 s6, 64\ns_mov_b32 s7, 0x00e27000\nbuffer_load_dword v0, off, s[4$0:7], 0"
    found = resource(text, "gfx908")
    assert "Suspicious" not in found
    assert "| `stride` | 61:48 | 0 | 65536 bytes with `data_format` as bits 17:14, for" in found
    assert (
        "| `data_format` | 114:111 | 4 | bits 17:14 of the stride for instructions without a format; 32 for others"
        in found
    )
    # gfx7 has no such bits: the records of all lanes are at one place.
    assert "the lane number is added to the index, but `stride` is 0" in resource(text, "gfx700")


def test_bits_that_belong_to_no_field() -> None:
    text = "s_mov_b64 s[4:5], 0\ns_mov_b32 s6, 64\ns_mov_b32 s7, 0x31004000\nbuffer_load_{} v0, off, s[4$0:7], 0"
    # Bit 120 is `resource_level` on gfx10, and nothing on gfx11.
    assert "reserved" not in resource(text.format("dword"), "gfx1030")
    assert "Set, but reserved on gfx1100: 120." in resource(text.format("b32"), "gfx1100")


def test_words_that_every_path_has_alike() -> None:
    in_loop = "loop:\nbuffer_load_dword v0, off, s[4$0:7], 0\ns_cbranch_scc0 loop\ns_endpgm"
    assert "`s6` = 0x100, `s7` = 0x20000" in resource(f"{WORDS}{in_loop}")
    # One of two paths has another word.
    found = resource(f"{WORDS}s_cbranch_scc0 loop\ns_movk_i32 s6, 0x200\n{in_loop}")
    assert "`s7` = 0x20000" in found
    assert "`s6` =" not in found


def test_words_that_are_not_known() -> None:
    found = resource(f"{WORDS}s_load_dwordx2 s[4:5], s[0:1], 0\nbuffer_load_dword v0, off, s[4$0:7], 0")
    assert "`s6` = 0x100, `s7` = 0x20000" in found
    assert "`base`" not in found
    assert "`num_records`" in found
    text = f"{WORDS}s_mov_b64 s[6:7], s[0:1]\nbuffer_load_dword v0, off, s[4$0:7], 0"
    assert "`type`" not in resource(text)
    behind_a_branch = f"{WORDS}s_cbranch_scc0 label\nbuffer_load_dword v0, off, s[4$0:7], 0\nlabel:"
    assert "`type`" in resource(behind_a_branch)


def test_what_cannot_be_meant() -> None:
    text = "s_mov_b64 s[4:5], 0\ns_mov_b32 s6, 0\ns_mov_b32 s7, 0xc0000002\nbuffer_load_dword v0, off, s[4$0:7], 0"
    found = resource(text)
    for said in ("`type` is 3", "`num_records` is 0", "`dst_sel_x` is 2", "format is INVALID"):
        assert said in found


def test_image_and_sampler() -> None:
    words = "".join(
        f"s_mov_b32 s{8 + number}, {value:#x}\n"
        for number, value in enumerate((16, 10 << 20, 255, 9 << 28, 0, 0, 0, 0))
    )
    samplers = "s_mov_b32 s16, 0\ns_mov_b32 s17, 0x010020\ns_mov_b32 s18, 0x500000\ns_mov_b32 s19, 0\n"
    text = f"{words}{samplers}image_sample v[0:3], v[0:1], s[8:15], s[16:19] dmask:0xf"
    image = resource(text.replace("s[8:15]", "s[8$0:15]"))
    for row in (
        "| `base` | 39:0 | 0x10 | address 0x1000 |",
        "| `width` | 77:64 | 0xff | 256 |",
        "| `type` | 127:124 | 9 | 2D |",
    ):
        assert row in image
    sampler = resource(text.replace("s[16:19]", "s[16$0:19]"))
    for row in ("| `xy_mag_filter` | 85:84 | 1 | bilinear |", "`max_lod` is below `min_lod`"):
        assert row in sampler


def words(first: int, values: Sequence[int]) -> str:
    return "".join(f"s_mov_b32 s{first + number}, {value:#x}\n" for number, value in enumerate(values))


def test_image_of_gfx11() -> None:
    # 640 x 480, format 64, level 0 of 3, 2D array of slices 2 to 5, min_lod 1.5 over words 5 and 6
    image = (0x100, 64 << 20 | 3 << 16 | 3 << 30, 159 | 479 << 14, 0x688 | 3 << 16 | 13 << 28, 5 | 2 << 16, 0, 12, 0)
    found = resource(words(8, image) + "image_load v[0:3], v[0:2], s[8:1$05] dmask:0xf dim:2D_ARRAY", "gfx1100")
    for row in (
        "| `max_mip` | 51:48 | 3 |",
        "| `format` | 59:52 | 0x40 | 8_SRGB |",
        "| `width` | 75:62 | 0x27f | 640 |",
        "| `height` | 91:78 | 0x1df | 480 |",
        "| `type` | 127:124 | 0xd | 2D array |",
        "| `depth` | 140:128 | 5 | 3D: 6 deep; arrays: 5 is the last slice |",
        "| `base_array` | 156:144 | 2 |",
        "| `min_lod` | 198:187 | 0x180 | 1.5 |",
    ):
        assert row in found, found


def test_image_and_sampler_of_gfx12() -> None:
    image = (0x100, 42 << 17 | 1 << 25 | 3 << 30, 159 | 479 << 14, 0x688 | 1 << 15 | 9 << 28, 0, 0, 6, 0)
    sampler = (0, 0x180 | 0x300 << 13, 0, 5 << 18 | 3 << 30)
    text = words(8, image) + words(16, sampler) + "image_sample v[0:3], [v0, v1], s[8:15], s[16:19] dmask:0xf dim:2D"
    found = resource(text.replace("s[8:15]", "s[8$0:15]"), "gfx1200")
    for row in (
        "| `format` | 56:49 | 0x2a | 8_8_8_8_UNORM |",
        "| `base_level` | 61:57 | 1 |",
        "| `width` | 77:62 | 0x27f | 640 |",
        "| `height` | 93:78 | 0x1df | 480 |",
        "| `last_level` | 115:111 | 1 |",
        "| `min_lod` | 198:186 | 0x180 | 1.5 |",
    ):
        assert row in found, found
    found = resource(text.replace("s[16:19]", "s[16$0:19]"), "gfx1200")
    for row in (
        "| `min_lod` | 44:32 | 0x180 | 1.5 |",
        "| `max_lod` | 57:45 | 0x300 | 3 |",
        "| `border_color_ptr` | 125:114 | 5 |",
    ):
        assert row in found, found


def test_buffer_of_gfx1250() -> None:
    """The words that LLVM makes for base 0x1000, stride 16, 0x123456789 bytes and flags 3, with a scale of 4."""
    value = 0x1000 | 0x123456789 << 57 | 16 << 108 | 1 << 122 | 3 << 124
    text = words(4, [value >> 32 * number & 0xFFFFFFFF for number in range(4)])
    found = resource(f"{text}buffer_load_b32 v0, off, s[4$0:7], null", "gfx1250")
    for row in (
        "| `base` | 56:0 | 0x1000 |",
        "| `num_records` | 101:57 | 0x123456789 |",
        "| `stride` | 121:108 | 0x10 | 16 bytes |",
        "| `stride_scale` | 123:122 | 1 | 4 |",
        "| `swizzle_enable` | 124 | 1 |",
        "| `oob_select` | 125 | 1 | offset beyond num_records or beyond the record |",
        "| `type` | 127:126 | 0 | buffer |",
    ):
        assert row in found, found


@pytest.mark.parametrize("name", ["buffer", "image", "sampler"])
@pytest.mark.parametrize("target", isa.target_names())
def test_every_target_has_descriptors_whose_fields_do_not_overlap(name: str, target: str) -> None:
    layout = resources.resource(name, isa.load_target(target).features)
    if target.startswith("gfx13") and name == "buffer":
        assert layout is None, "no public source describes it"
        return
    assert layout is not None
    taken: set[int] = set()
    for field in layout.fields:
        bits = set(range(field.low, field.high + 1))
        assert not taken & bits, f"{target} {field.name}"
        assert field.high < 32 * layout.words
        taken |= bits


def test_roles_are_those_of_fields() -> None:
    names = {row[0] for layouts in LAYOUTS.values() for rows, _, _ in layouts for row in rows}
    assert names >= ROLES.keys()
    # AMD's documents and drivers have only the names of these.
    assert names - ROLES.keys() == {
        *("depth_scale", "filter_prec_fix", "height_scale", "linked_resource", "no_edge_clamp"),
        *("sample_pattern_offset", "speculative_read", "width_scale"),
    }


# Syntax and limits of operands


@pytest.mark.parametrize(
    ("mnemonic", "target", "written"),
    [
        ("v_mov_b32", "gfx1030", "v_mov_b32 vdst, src0 dpp8:[a,b,c,d,e,f,g,h] [fi:u1]"),
        ("flat_load_dword", "gfx803", "flat_load_dword vdst, vaddr [glc] [slc]"),
        ("flat_load_dword", "gfx900", "flat_load_dword vdst, vaddr [offset:u12] [glc] [slc]"),
        ("global_load_dword", "gfx1030", "global_load_dword vdst, vaddr, off [offset:i12] [glc] [slc] [dlc]"),
        ("ds_add_u32", "gfx908", "ds_add_u32 addr, data0 [offset:u16] [gds]"),
        ("ds_add_u32", "gfx942", "ds_add_u32 addr, data0 [offset:u16]"),
        ("ds_add_u32", "gfx1200", "ds_add_u32 addr, data0 [offset:u16]"),
        (
            "image_load",
            "gfx600",
            "image_load vdata, vaddr, srsrc [dmask:u4] [unorm] [glc] [slc] [r128] [tfe] [lwe] [da]",
        ),
        (
            "buffer_load_b32",
            "gfx1200",
            "buffer_load_b32 vdata, off, srsrc, soffset [offset:u23] [th:HINT] [scope:SCOPE]",
        ),
        ("s_buffer_load_dword", "gfx700", "s_buffer_load_dword sdst, sbase, soffset"),
        ("s_buffer_load_dword", "gfx1030", "s_buffer_load_dword sdst, sbase, soffset offset:u20 [glc] [dlc]"),
        ("global_atomic_add", "gfx90a", "global_atomic_add vdst, vaddr, vdata, off [offset:i13] glc [slc] [scc]"),
        ("global_atomic_add", "gfx90a", "global_atomic_add vaddr, vdata, off [offset:i13] [slc] [scc]"),
        ("buffer_atomic_add", "gfx942", "buffer_atomic_add vdata, off, srsrc, soffset [offset:u12] sc0 [nt] [sc1]"),
        (
            "global_atomic_add_u32",
            "gfx1200",
            "global_atomic_add_u32 vdst, vaddr, vdata, off [offset:i24] th:TH_ATOMIC_RETURN [scope:SCOPE]",
        ),
        (
            "tbuffer_load_format_x",
            "gfx900",
            "tbuffer_load_format_x vdata, off, srsrc, soffset [format:[DATA,NUMBER]] [offset:u12] [glc] [slc]",
        ),
    ],
)
def test_syntax_has_what_the_form_takes(mnemonic: str, target: str, written: str) -> None:
    loaded = isa.load_target(target)
    assert written in {syntax.syntax(form, loaded) for form in loaded.forms(mnemonic)}


@pytest.mark.parametrize(
    ("mnemonic", "target", "first"),
    [
        ("v_cmp_eq_f32", "gfx906", "v_cmp_eq_f32 vcc, src0, src1"),
        ("v_cmp_eq_f32", "gfx1100", "v_cmp_eq_f32 vcc_lo, src0, src1"),
        ("v_cndmask_b32", "gfx1200", "v_cndmask_b32 vdst, src0, src1, vcc_lo"),
        ("v_cmpx_eq_f32", "gfx1100", "v_cmpx_eq_f32 src0, src1"),
    ],
)
def test_a_vcc_that_may_be_left_out_is_written(mnemonic: str, target: str, first: str) -> None:
    loaded = isa.load_target(target)
    found = syntax.syntaxes(loaded.forms(mnemonic), loaded)
    assert found[0] == first
    bare = {
        text.replace(" vcc_lo,", "").replace(" vcc,", "").replace(", vcc_lo", "") for text in found if "vcc" in text
    }
    assert not bare & set(found)


@pytest.mark.parametrize(
    ("mnemonic", "target", "expected"),
    [
        ("s_load_dword", "gfx90a", {"sbase": "2 SGPRs", "offset": "signed 21-bit number of bytes"}),
        ("image_sample", "gfx1100", {"vaddr0": "1 to 4 VGPRs", "vdata": "1 to 5 VGPRs", "ssamp": "4 SGPRs"}),
        ("buffer_load_dword", "gfx942", {"vaddr": "1 or 2 VGPRs", "vdata": "VGPR or AccVGPR"}),
        ("s_branch", "gfx900", {"simm16": "label or a number"}),
        ("s_denorm_mode", "gfx1030", {"simm16": "unsigned 16-bit number"}),
        ("s_get_barrier_state", "gfx1200", {"sdst": "SGPR"}),
    ],
)
def test_what_the_operands_of_a_mnemonic_take(mnemonic: str, target: str, expected: dict[str, str]) -> None:
    loaded = isa.load_target(target)
    found = accepts.operands(loaded.forms(mnemonic), loaded)
    assert expected.items() <= found.items()


@pytest.mark.parametrize(
    ("mnemonic", "target", "slot", "expected"),
    [
        ("v_add_f32", "gfx90a", "src1", "VGPR or SGPR, f32 or an inline constant; less in some forms"),
        ("v_add_f32", "gfx1100", "src1", "VGPR or SGPR, f32 or a constant; less in some forms"),
        ("v_fma_f32", "gfx900", "src2", "VGPR or SGPR, f32 or an inline constant"),
        ("v_fma_f32", "gfx1030", "src2", "VGPR or SGPR, f32 or a constant"),
        ("v_madmk_f32", "gfx900", "src0", "VGPR, f32 or a constant"),  # the literal is its one scalar
    ],
)
def test_literals_only_where_the_encoding_takes_them(mnemonic: str, target: str, slot: str, expected: str) -> None:
    loaded = isa.load_target(target)
    assert accepts.operands(loaded.forms(mnemonic), loaded)[slot] == expected


@pytest.mark.parametrize(
    ("target", "clamps"), [("gfx600", False), ("gfx700", False), ("gfx803", True), ("gfx1100", True)]
)
def test_integers_are_clamped_where_the_hardware_can(target: str, clamps: bool) -> None:
    loaded = isa.load_target(target)
    integers, floats = (syntax.syntaxes(loaded.forms(name), loaded) for name in ("v_mad_i32_i24", "v_fma_f32"))
    assert any("[clamp]" in text for text in integers) == clamps
    assert any("[clamp]" in text for text in floats)


@pytest.mark.parametrize(
    ("line", "target", "parts"),
    [
        ("v_add_$0f32 v0, v1, v2 clamp mul:2", "gfx900", ["scaled(D.f32, 2.0)", "`mul:2` is ignored if MODE.IEEE"]),
        ("v_add_$0f32 v0, v1, v2 clamp", "gfx1200", ["D.f32 = min(max(D.f32, 0.0), 1.0)", "makes 0.0 of a NaN."]),
        ("v_pk_add_$0u16 v0, v1, v2 clamp", "gfx90a", ["D.u16[i] = saturate(S0.u16[i] + S1.u16[i])"]),
        ("v_cmp_lt_$0f32_e64 vcc, v1, v2 clamp", "gfx900", ["raise the exception INVALID"]),
    ],
)
def test_modifiers_of_the_result_on_this_line(line: str, target: str, parts: list[str]) -> None:
    check_hover(line, *parts, target=target)


def test_without_modifiers_the_operation_is_that_of_the_page() -> None:
    assert "saturate" not in (hover_text("v_pk_add_$0u16 v0, v1, v2", target="gfx90a") or "")


@pytest.mark.parametrize(
    ("mnemonic", "expected"), [("f32_16x16x16_f16", "f32"), ("bf16_16x16x16_bf16", "bf16"), ("i32_16x16x16_iu8", "i32")]
)
def test_accumulators_of_wmma_have_their_own_type(mnemonic: str, expected: str) -> None:
    loaded = isa.load_target("gfx1100")
    found = accepts.operands(loaded.forms(f"v_wmma_{mnemonic}"), loaded)["src2"]
    assert found == f"8 VGPRs, {expected} or an inline constant"


def test_a_bfloat_is_not_shown_with_the_bits_of_a_half() -> None:
    text = "v_wmma_bf16_16x16x16_bf16 v[0:7], v[8:15], v[16:23], 1.$00"
    check_hover(text, "1.0, inline constant", "bf16 or an inline constant", target="gfx1100")
    assert "3c00" not in (hover_text(text, "gfx1100") or "")


def test_the_first_half_of_a_pair_has_its_own_operands() -> None:
    loaded = isa.load_target("gfx1100")
    assert list(accepts.operands(loaded.forms("v_dual_add_f32"), loaded)) == ["vdstX", "src0X", "vsrc1X"]


def test_registers_of_an_address_stand_in_brackets() -> None:
    loaded = isa.load_target("gfx1030")
    form = next(form for form in loaded.forms("image_sample") if "V4_V2_nsa" in form.name)
    text, places = syntax.syntax_and_places(form, loaded)
    assert text.startswith("image_sample vdata, [vaddr0, vaddr1], srsrc, ssamp ")
    written = {slot.name: text[first:end] for slot, (first, end) in zip(form.slots, places, strict=True)}
    assert written["vaddr0"] == "vaddr0"
    assert written["vaddr1"] == "vaddr1"
    assert written["srsrc"] == "srsrc"


def test_the_registers_of_an_address_are_operands() -> None:
    text = "v_mov_b32 v5, 0\nimage_sample v[0:3], [v1, v$05], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D"
    check_hover(text, "`vaddr1`: source, VGPR", "Last written by:\n\n- line 1", target="gfx1030")
    macro = ".macro m a\nimage_sample v[0:3], [v1, $0v[\\a]], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D\n.endm\nm 7"
    check_hover(macro, "`v7`", "`vaddr1`: source, VGPR", target="gfx1030")


def test_the_registers_of_an_address_stand_behind_the_fields() -> None:
    text = "image_sam$0ple v[0:3], [v1, v5, v9], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D"
    check_hover(text, "| vaddr1 | 71:64 | 5 | `v5` |", "| vaddr2 | 79:72 | 9 | `v9` |", target="gfx1030")
    assert "literal" not in (hover_text(text, "gfx1030") or "")


@pytest.mark.parametrize(
    ("text", "target", "parts"),
    [
        ("ds_read2_b32 v[0:1], v2 offset1:$02", "gfx90a", ("Encoded as 2 in `offset1`, unsigned 8-bit number.",)),
        ("v_mul_f32 v0, v1, v2 mul:$02", "gfx90a", ("Encoded as 1 in `omod`.", "Multiplies a floating-point result")),
        ("v_mov_b32_dpp v0, v1 row_shr:$01", "gfx90a", ("Encoded as 273 (0x111)", "`row_shr:N`", "reads  -  0  1  2")),
        ("global_load_dword v0, v[2:3], off offset:-$04", "gfx90a", ("in `offset`, signed 13-bit number",)),
        ("image_load v0, v1, s[0:7] dmask:0x$01 dim:SQ_RSRC_IMG_1D", "gfx1030", ("Selects components of a texel",)),
    ],
)
def test_the_value_of_a_modifier_tells_the_modifier(text: str, target: str, parts: tuple[str, ...]) -> None:
    check_hover(text, *parts, target=target)


def test_the_second_half_of_a_pair_tells_what_it_does() -> None:
    text = "v_dual_add_f32 v0, v1, v2 :: v_dual_m$0ul_f32 v3, v4, v5"
    syntax = "v_dual_add_f32 vdstX, src0X, vsrc1X :: v_dual_mul_f32 vdstY, src0Y, vsrc1Y"
    check_hover(text, syntax, "Multiplies two 32-bit floats", "D.f32 = S0.f32 * S1.f32", target="gfx1100")


@pytest.mark.parametrize(
    ("text", "target", "part"),
    [
        ("v_cvt_f32_f64 v0, 1.$05", "gfx900", "1.5 (0x3ff8000000000000), literal"),
        ("v_cvt_f32_f64 v0, 0x3ff8$00000", "gfx1030", "1.5 (0x3ff8000000000000), literal"),
        ("v_cvt_f32_f64 v0, 0.$01", "gfx900", "0.09999996423721313 (0x3fb9999900000000), literal"),
        ("v_cvt_f32_f64 v0, 0.$01", "gfx1250", "0.1 as f64), literal"),
        ("v_cvt_f32_f64 v0, 1.$00", "gfx900", "1.0 (0x3ff0000000000000), inline constant"),
    ],
)
def test_a_literal_is_the_upper_half_of_a_double(text: str, target: str, part: str) -> None:
    check_hover(text, part, target=target)


def test_limits_of_offsets() -> None:
    check_hover("s_load_dword s0, s[0:1], -1$06", "`offset`: operand, signed 21-bit number of bytes")
    check_hover("s_load_dword s0, s[0:1], 1$06", "unsigned 20-bit number of bytes", target="gfx803")
    check_hover("s_load_dword s0, s[0:1], 1$06", "unsigned 8-bit number of dwords", target="gfx600")
    check_hover("global_load_dw$0ord v0, v[0:1], off offset:-16", "| offset | 12:0 | 0x1ff0 | -16 |")
    assert "| slc | 17 | 0 |" not in (hover_text("global_load_dw$0ord v0, v[0:1], off offset:-16") or "")


# Who wrote it

TWO_PATHS = """
v_cmp_eq_u32 vcc, v0, v1
s_cmp_eq_u32 s0, s1
s_cbranch_scc1 join
v_cmp_lt_u32 vcc, v0, v2
s_mov_b32 m0, 3
join:
"""


def test_special_registers_tell_who_wrote_them() -> None:
    check_hover(
        f"{TWO_PATHS}v_cndmask_b32 v0, v1, v2, v$0cc",
        "Last written by:\n\n- line 1: `v_cmp_eq_u32`\n- line 4: `v_cmp_lt_u32`",
    )
    check_hover(f"{TWO_PATHS}s_mov_b32 s0, m$00", "- line 5: `s_mov_b32`\n- its value on entry")
    check_hover(f"{TWO_PATHS}s_mov_b64 s[0:1], ex$0ec", "Last written by:\n\n- its value on entry")


def test_what_a_mnemonic_reads_without_naming_it() -> None:
    check_hover(
        TWO_PATHS.replace("cbranch_scc1", "cbranch_sc$0c1"), "`SCC` was last written by: line 2: `s_cmp_eq_u32`."
    )
    check_hover(
        f"{TWO_PATHS}ds_read_b3$02 v0, v1",
        "`M0` was last written by: line 5: `s_mov_b32`; its value on entry.",
        target="gfx803",
    )
    assert "`M0` was" not in (hover_text(f"{TWO_PATHS}ds_read_b3$02 v0, v1", "gfx900") or "")
    check_hover(
        f"{TWO_PATHS}v_div_fma$0s_f32 v0, v1, v2, v3", "`VCC` was last written by: line 1: `v_cmp_eq_u32`; line 4"
    )


# Sources, macro arguments, patterns


def test_what_a_source_does_to_its_register() -> None:
    check_hover("v_fma_f32 v0, -|v$01|, v2, v3", "Read as its absolute value, then negated.")
    check_hover("v_add_u32_sdwa v0, v1, sext(v$02) src1_sel:BYTE_0", "Read extended with its sign.")
    assert "Read " not in (hover_text("v_fma_f32 v0, v$01, v2, v3") or "")


def test_halves_of_registers() -> None:
    check_hover("v_add_f16 v0.l, v1$0.h, v2.l", "High 16 bits of VGPR 1 in each lane", target="gfx1100")
    check_hover("v_add_f16 v0$0.l, v1.h, v2.l", "Low 16 bits of VGPR 0 in each lane", target="gfx1100")
    assert "Operand number" not in (hover_text("v_add_f16 v0.l, v1$0.h, v2.l", "gfx1100") or "")


def test_an_argument_given_by_name() -> None:
    text = ".macro m first, second=4\n.endm\nm sec$0ond=2, first=1"
    check_hover(text, "**parameter** `second` of macro `m`, default `4`")
    check_hover(text.replace("sec$0ond=2", "second=$02"), "**parameter** `second` of macro `m`")


def test_words_and_patterns_inside_a_call() -> None:
    check_hover("ds_swizzle_b32 v0, v1 offset:swizzle(SW$0AP, 1)", "neighbouring groups", "reads  1  0  3  2")
    check_hover("ds_swizzle_b32 v0, v1 offset:swi$0zzle(SWAP, 1)", "`SWAP`", "reads  1  0  3  2")
    check_hover("s_delay_alu instid0(VALU_D$0EP_2)", "**word** `instid0(VALU_DEP_2)`", target="gfx1100")


def test_which_registers_a_selector_of_vgprs_means() -> None:
    check_hover("s_set_vgpr_msb 0x4$01", "| destination | 7:6 | 1 | v256 to v511 |", target="gfx1250")
    check_hover("s_set_vgpr_msb 0x4$01", "| third source | 5:4 | 0 | v0 to v255 |", target="gfx1250")


def test_the_register_that_the_selectors_in_force_make_of_an_operand() -> None:
    text = "k:\n v_mov_b32 v257, 1\n s_set_vgpr_msb 0x1\n v_add_f32 v2, v$01, v3\n s_endpgm\n".replace("v257", "v1")
    check_hover(text, "Here it is `v257`: the selector of the first source, address is 1.", target="gfx1250")
    check_hover(text.replace("$0", "").replace("v3", "v$03"), "VGPR", target="gfx1250")
    unknown = text.replace("k:\n", "k:\n s_cbranch_scc0 join\n").replace(" v_add", "join:\n v_add")
    check_hover(
        unknown,
        "The selector of the first source, address is not known here, so this may also be `v257`, `v513`, `v769`.",
        target="gfx1250",
    )


def test_a_single_operation_is_one() -> None:
    check_hover("s_waitcnt vmc$0nt(1)", "at most 1 vector memory operation is outstanding", target="gfx900")


def test_a_number_is_not_said_to_be_itself() -> None:
    found = hover_text("s_movk_i32 s0, 0x1$00") or ""
    assert "256 (0x100)" not in found.split("\n", 1)[0].replace("16 (0x10)", "")
    assert " is `" not in found


def test_what_is_written_to_the_fields_of_a_hardware_register() -> None:
    line = "s_setreg_i$0mm32_b32 hwreg(HW_REG_MODE, {}), {}"
    check_hover(line.format("4, 4", "0xb"), "Sets `FP_DENORM_32` to 3, `FP_DENORM_16_64` to 2.")
    check_hover(line.format("4, 1", "1"), "Sets `FP_DENORM_32[0]` to 1.")
    check_hover(line.format("3, 2", "2"), "Sets `FP_ROUND_16_64[1]` to 0, `FP_DENORM_32[0]` to 1.")
    check_hover("s_setreg_b$032 hwreg(HW_REG_MODE, 4, 4), s0", "| `FP_DENORM_32` | 5:4 |")


def test_a_wrong_line_does_not_hide_who_wrote_a_register_before_it() -> None:
    text = "k:\n  s_mov_b32 s8, 1\n  s_mov_b32 s9, s$08\n  v_addf32 v0, v1\n  s_endpgm\n"
    check_hover(text, "Last written by:\n\n- line 2: `s_mov_b32`")
    text = "k:\n  s_mov_b32 s8, 1\n  v_addf32 v0, v1\n  s_mov_b32 s9, s$08\n  s_endpgm\n"
    check_hover(text, "Last written by:\n\n- line 2: `s_mov_b32`\n- perhaps line 3, which is wrong")
    text = "k:\n  v_addf32 v0, v1\n  v_mov_b32 v9, v$00\n  s_endpgm\n"
    check_hover(text, "- unknown while line 2 is wrong")


def test_a_writer_in_a_repetition_is_listed_once() -> None:
    text = "k:\n.rept 16\ns_cbranch_scc1 1f\nv_mov_b32 v1, v0\n.endr\n1:\nv_mov_b32 v2, v$01\ns_endpgm\n"
    check_hover(text, "- line 4: `v_mov_b32` (16 times)")


def test_a_result_says_what_reads_it_next_and_a_value_on_entry_who_set_it() -> None:
    kernel = """\
    kernel:
      v_lshlrev_b32 v1, 2, v0
      s_cbranch_scc1 other
      v_add_f32 v2, v1, v5
    other:
      v_mul_f32 v3, v1, v1
      v_mov_b32 v1, 0
      s_endpgm
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 8
    .end_amdhsa_kernel
    """
    found = hover_text(kernel.replace("b32 v1, 2", "b32 v$01, 2"), "gfx90a") or ""
    assert "Read next by:\n\n- line 4: `v_add_f32`\n- line 6: `v_mul_f32`" in found
    assert "Last written by" not in found
    assert "a function, or code" not in found
    assert "Nothing reads it after this." in (hover_text(kernel.replace("f32 v3,", "f32 v$03,"), "gfx90a") or "")
    called = kernel.replace("f32 v3,", "f32 v$03,").replace("v_mov_b32 v1, 0", "s_swappc_b64 s[0:1], s[2:3]")
    unknown = "Read next by:\n\n- a function, or code that this file does not show"
    assert unknown in (hover_text(called, "gfx90a") or "")
    unset = hover_text(kernel.replace("v1, v5", "v1, v$05"), "gfx90a") or ""
    assert "- its value on entry, which nothing sets" in unset
    accumulated = hover_text(kernel.replace("v_mul_f32 v3, v1, v1", "v_fmac_f32 v$00, v1, v1"), "gfx90a") or ""
    assert "its value on entry, which the hardware sets: work-item id x" in accumulated
    assert "Nothing reads it after this." in accumulated
