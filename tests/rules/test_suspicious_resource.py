"""Buffer descriptors made of constants that cannot be meant."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "suspicious-resource"


def test_a_type_that_no_buffer_has() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx802
        s_mov_b32 s7, 0xc0000000
        buffer_load_dword v1, off, s[4:7], 0
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[suspicious-resource]: `type` is 3; a buffer's is 0
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("target", "text", "why"),
    [
        ("gfx900", "s_mov_b32 s5, 0x80000000\nbuffer_load_dword v1, off, s[4:7], 0", "`stride` is 0"),
        (
            "gfx803", "s_mov_b64 s[6:7], -1\ns_mov_b32 s7, 0x100000\ns_mov_b32 s5, 0x80030000\n"
            "buffer_load_dword v1, off, s[4:7], 0", "`stride` is 3, not a multiple of the 8 bytes of an element",
        ),
        (
            "gfx900", "s_mov_b32 s5, 0x80100000\ns_nop 0\ns_buffer_load_dword s0, s[4:7], 0x0",
            "scalar memory does not swizzle",
        ),
        (
            "gfx900", "s_mov_b32 s7, 0x27002\nbuffer_load_format_x v1, off, s[4:7], 0",
            "`dst_sel_x` is 2, which selects nothing",
        ),
        ("gfx1100", "s_mov_b32 s5, 0x40000000\nbuffer_store_b32 v1, off, s[4:7], null", "`stride` is 0"),
        (
            "gfx900", "s_movk_i32 s7, 0xfac\nbuffer_load_dword v1, off, s[4:7], 0",
            "`data_format` is 0 (INVALID): the resource counts as unbound",
        ),
        ("gfx1100", "s_mov_b32 s7, 0x30000000\nbuffer_store_b32 v1, off, s[4:7], null", "`format` is 0 (INVALID)"),
        (
            "gfx900", "s_mov_b32 s5, 0\ns_movk_i32 s6, 0x100\nbuffer_load_dword v1, off, s[4:7], 0 offset:256",
            "the offset 256 is beyond the 256 bytes of `num_records`",
        ),
        (
            "gfx1030", "s_mov_b32 s5, 0\ns_movk_i32 s6, 0x10\ns_mov_b32 s7, 0x31014000\n"
            "buffer_load_dword v1, off, s[4:7], 0 offset:16", "the offset 16 is beyond the 16 bytes",
        ),
        (
            "gfx700", "s_mov_b32 s5, 0x100000\ns_mov_b32 s6, 64\nbuffer_load_dword v1, v0, s[4:7], 0 idxen offset:16",
            "the offset 16 is beyond the 16 bytes of a record",
        ),
        (
            "gfx1030", "s_mov_b32 s5, 0x100000\ns_mov_b32 s7, 0x14000\n"
            "buffer_load_dword v1, v0, s[4:7], 0 offen offset:16",
            "the offset 16 is beyond the 16 bytes of a record",
        ),
        (
            "gfx1100", "s_mov_b32 s5, 0x100000\ns_mov_b32 s7, 0x14000\n"
            "buffer_load_b64 v[1:2], v0, s[4:7], 0 idxen offset:12",
            "the 8 bytes from offset 12 end beyond the 16 bytes of a record",
        ),
        (
            "gfx900", "s_mov_b32 s5, 0\ns_mov_b32 s7, 0x27000\nbuffer_load_dword v1, v0, s[4:7], 0 idxen",
            "`idxen` has no effect",
        ),
        (
            "gfx900", "s_mov_b32 s5, 0\ns_movk_i32 s6, 0x100\nbuffer_load_dwordx4 v[0:3], off, s[4:7], 0 offset:252",
            "the 16 bytes from offset 252 reach beyond the 256 bytes of `num_records`",
        ),
        (
            "gfx803", "s_mov_b32 s5, 0x80100000\ns_mov_b32 s7, 0x27fac\n"
            "buffer_load_dwordx4 v[0:3], v0, s[4:7], 0 idxen", "16 bytes are accessed, and swizzling puts only 2 bytes",
        ),
        (
            "gfx900", "s_mov_b32 s7, 0xfac\nimage_load v[0:3], v[0:1], s[4:11] dmask:0xf unorm",
            "`type` is 0; an image's is 8 to 15",
        ),
        (
            "gfx900", "s_mov_b32 s7, 0xa0000fac\nimage_load v[0:3], v[0:3], s[4:11] dmask:0xf unorm da",
            "`type` is 10 (3D), and `da` says that the image is an array",
        ),
        (
            "gfx1030", "s_mov_b32 s7, 0x90000fac\nimage_load v0, v[0:2], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA",
            "`type` is 9 (2D), and the instruction addresses samples",
        ),
        ("gfx1250", "s_mov_b32 s7, 0x40000000\nbuffer_store_b32 v1, off, s[4:7], null", "`type` is 1"),
        ("gfx1250", "s_mov_b32 s7, 0x10000000\nbuffer_store_b32 v1, off, s[4:7], null", "`stride` is 0"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant(target: str, text: str, why: str) -> None:
    (finding,) = (each for each in findings(f"//- k.s target:{target}\n{text}\ns_endpgm\n") if each.rule == RULE)
    assert why in finding.message


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx1100", "s_mov_b32 s6, 0x80000000\ns_mov_b32 s7, 0\nbuffer_load_d16_b16 v1, v0, s[4:7], 0 idxen"),
        ("gfx802", "s_mov_b32 s7, 0x27fac\nbuffer_load_dword v1, off, s[4:7], 0"),
        ("gfx1030", "s_mov_b32 s7, 0x31014000\nbuffer_load_dword v1, off, s[4:7], 0"),
        ("gfx900", "s_mov_b32 s5, 0x80100000\nbuffer_load_dword v1, off, s[4:7], 0"),
        # A scalar load has no format, a typed one brings its own, and lanes that are added mean a longer stride.
        ("gfx900", "s_mov_b32 s7, 0\ns_nop 0\ns_buffer_load_dword s0, s[4:7], 0x0"),
        ("gfx900", "s_mov_b32 s7, 0\ntbuffer_load_format_x v1, off, s[4:7], dfmt:4, nfmt:7, 0"),
        ("gfx900", "s_mov_b32 s7, 0x800000\nbuffer_load_dword v1, off, s[4:7], 0"),
        ("gfx900", "s_mov_b32 s7, 0\ns_mov_b32 s7, s0\nbuffer_load_dword v1, off, s[4:7], 0"),
        ("gfx900", "s_mov_b32 s5, 0\ns_movk_i32 s6, 0x100\nbuffer_load_dword v1, off, s[4:7], 0 offset:252"),
        ("gfx900", "s_mov_b32 s5, 0x40000\ns_movk_i32 s6, 0x100\nbuffer_load_dword v1, off, s[4:7], 0 offset:256"),
        ("gfx900", "s_movk_i32 s6, 0x100\nbuffer_load_dword v1, off, s[4:7], 0 offset:256"),
        ("gfx700", "s_mov_b32 s5, 0x100000\ns_mov_b32 s6, 64\nbuffer_load_dword v1, v0, s[4:7], 0 idxen offset:12"),
        ("gfx700", "s_mov_b32 s5, 0x100000\ns_mov_b32 s6, 64\nbuffer_load_dword v1, v0, s[4:7], 0 offen offset:16"),
        ("gfx900", "s_mov_b32 s5, 0x100000\ns_mov_b32 s6, 64\nbuffer_load_dword v1, v0, s[4:7], 0 idxen offset:16"),
        (
            "gfx1030",
            "s_mov_b32 s5, 0x100000\ns_mov_b32 s7, 0x14000\nbuffer_load_dwordx2 v[1:2], v0, s[4:7], 0 idxen offset:12",
        ),
        (
            "gfx1100",
            "s_mov_b32 s5, 0x100000\ns_mov_b32 s7, 0x10014000\nbuffer_load_b64 v[1:2], v0, s[4:7], 0 idxen offset:12",
        ),
        ("gfx803", "s_mov_b32 s5, 0x80100000\ns_mov_b32 s7, 0xa7fac\nbuffer_load_dword v0, v0, s[4:7], 0 idxen"),
        ("gfx900", "s_mov_b32 s7, 0xd0000fac\nimage_load v[0:3], v[0:3], s[4:11] dmask:0xf unorm da"),
        ("gfx1030", "s_mov_b32 s7, 0xe0000fac\nimage_load v0, v[0:2], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA"),
        ("gfx900", "s_mov_b32 s5, 0\ns_movk_i32 s6, 0x100\nbuffer_load_dword v1, v0, s[4:7], 0 idxen offset:256"),
        ("gfx1030", "s_mov_b32 s5, 0\ns_movk_i32 s6, 0x100\nbuffer_load_dword v1, off, s[4:7], 0 offset:256"),
        ("gfx1250", "s_mov_b32 s7, 0x10100000\nbuffer_load_b32 v1, off, s[4:7], null"),
        # With the lane number the stride is 0x10000: its upper bits are the data format.
        ("gfx803", "s_mov_b32 s5, 0x80000000\ns_mov_b32 s7, 0xaa7000\nbuffer_load_dword v1, off, s[4:7], 0"),
        ("gfx900", "s_mov_b32 s5, 0x80000\ns_mov_b32 s7, 0x27000\nbuffer_load_dword v1, v0, s[4:7], 0 idxen"),
        ("gfx900", "s_mov_b32 s5, 0\ns_mov_b32 s7, 0x27000\nbuffer_load_dword v1, v0, s[4:7], 0 offen"),
        ("gfx900", "s_mov_b32 s7, 0x27002\nbuffer_load_dword v1, off, s[4:7], 0"),  # the format is the instruction's
        ("gfx900", "s_mov_b32 s7, 0xc0000000\ns_mov_b32 s7, 0x27fac\nbuffer_load_dword v1, off, s[4:7], 0"),
        ("gfx900", "s_mov_b32 s7, 0xc0000000\nlabel:\nbuffer_load_dword v1, off, s[4:7], 0\ns_branch label"),
        ("gfx900", "s_mov_b32 s7, 0xc0000000\nbuffer_load_dword v1, off, s[8:11], s7"),
        (
            "gfx900",
            "s_mov_b32 s7, 0xc0000000\ns_load_dwordx4 s[4:7], s[0:1], 0x0\nbuffer_load_dword v1, off, s[4:7], 0",
        ),
        ("gfx900", "s_mov_b32 s7, 0xc0000000\nimage_load v0, v[0:1], s[4:11] dmask:1 unorm"),
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\n{text}\ns_endpgm\n", RULE)


def test_in_a_macro_and_after_an_include() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        .macro load
        buffer_load_dword v1, off, s[4:7], 0
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[suspicious-resource]: with s7 = 0xc0000000
        .endm
        .include "words.inc"
        load
        s_endpgm
        //- words.inc
        s_mov_b32 s7, 0xc0000000
        """
    )


def test_bits_that_gfx9_reserves() -> None:
    code = "s_mov_b64 s[4:5], 0\ns_mov_b32 s6, 64\ns_mov_b32 s7, 0x1027fac\nbuffer_load_dword v1, off, s[4:7], 0\n"
    (found,) = (each for each in findings(code, "gfx908") if each.rule == "suspicious-resource")
    assert "bits 122:120 are 0b1; they must be 0" in str(found.message)
    assert not [each for each in findings(code, "gfx803") if each.rule == "suspicious-resource"]
    assert not [
        each for each in findings(code.replace("0x1027", "0x27"), "gfx908") if each.rule == "suspicious-resource"
    ]
