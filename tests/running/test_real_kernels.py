"""Kernels of production libraries and a matrix instruction, against numpy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcn_lsp.machine.arguments import Null
from gcn_lsp.running import api
from tests.running.compiled import assembly

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
CONVOLUTION = CORPUS / "miopen" / "gpu_reference_kernel" / "naive_conv_gcn.s"
CONVOLUTION_3X3 = CORPUS / "miopen" / "conv3x3.s"
IGEMM = next((CORPUS / "miopen" / "dynamic_igemm" / "igemm_gtc_xdlops_nhwc_gfx90a").rglob("*.s"), Path())
WINOGRAD = CORPUS / "miopen" / "Conv_Winograd_v30_3_1_fp32_f3x2_stride2.s"
SGEMM = CORPUS / "tensile" / "TestKernel.s"
DGEMM = CORPUS / "tensile" / "DGEMM_Aldebaran_NN_MT128x128x16_MI16x16x4x1_GRVW2_SU4_SUS128_WGM4.s"

needs_corpus = pytest.mark.skipif(not CORPUS.exists(), reason="there is no directory `shared` beside the checkout")


def whole_numbers(*shape: int) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.random.default_rng(sum(shape)).integers(-8, 8, shape).astype(np.float64)


@pytest.mark.parametrize("target", ["gfx908", "gfx90a", "gfx942"])
def test_a_tile_by_the_matrix_instruction(target: str, tmp_path: Path) -> None:
    a, b = whole_numbers(16, 8).astype(np.float32), whole_numbers(8, 16).astype(np.float32)
    d = np.zeros((16, 16), np.float32)
    outcome = api.run(assembly(tmp_path, "matrix.cl", target), grid=64, block=64, a=a, b=b, d=d, k=8, orders=True)
    assert outcome.findings == ()
    assert (d == a @ b).all()


@needs_corpus
def test_a_convolution() -> None:
    n, c, k, size, filters, out = 1, 3, 2, 8, 3, 6
    x, w = whole_numbers(n, c, size, size).astype(np.float32), whole_numbers(k, c, filters, filters).astype(np.float32)
    y = np.zeros((n, k, out, out), np.float32)
    values = (x, w, y, size, size, n, k, c, out, out, 1, 1, 1, 1, 0, 0, filters, filters, 1)
    arguments = {str(number): value for number, value in enumerate(values)}
    name = "naive_conv_fwd_nchw_float"
    outcome = api.run(CONVOLUTION, kernel=name, target="gfx900", grid=512, block=256, arguments=arguments)
    windows = np.lib.stride_tricks.sliding_window_view(x[0], (c, filters, filters))[0]
    assert outcome.findings == ()
    assert (y[0] == np.einsum("yxcij,kcij->kyx", windows, w)).all()


@needs_corpus
def test_a_dgemm_of_tensile() -> None:
    m = n = 128
    k = 32
    a, b, c = whole_numbers(m, k), whole_numbers(k, n), whole_numbers(m, n)
    d = np.zeros(m * n)
    sizes = (m, m * n, m, m * n, m, m * k, k, k * n, m, n, 1, k, 0, 1, 1, 0, 1, (1 << 31) + 1)
    arguments: dict[str, Any] = {
        # The metadata begins with a size that the code does not read: each value is at the name of the one before.
        "sizeC": np.uint64(m * k),
        "sizeA": np.uint64(k * n),
        "sizeB": d,
        "D": c.ravel("F").copy(),
        "C": a.ravel("F").copy(),
        "A": b.ravel("F").copy(),
        "B": np.float64(2),
        "alpha": np.float64(3),
        "beta": np.uint64(sizes[0] | sizes[1] << 32),
    }
    names = (
        *("strideD0", "strideD1", "strideC0", "strideC1", "strideA0", "strideA1", "strideB0", "strideB1"),
        *("SizesFree0", "SizesFree1", "SizesFree2", "SizesSum0", "OrigStaggerUIter", "NumWorkGroups0"),
        *("NumWorkGroups1", "NumFullBlocks", "WgmRemainder1", "MagicNumberWgmRemainder1", "padding"),
    )
    values = (*sizes[2:], 0, 0, 0)
    arguments |= {name: np.uint32(value) for name, value in zip(names, values, strict=True)}
    outcome = api.run(DGEMM, grid=256, block=256, arguments=arguments)
    assert outcome.findings == ()
    assert (d == (2 * (a @ b) + 3 * c).ravel("F")).all()


def test_an_address_that_no_lds_has_reads_zeros(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(
        "k:\n  v_mov_b32 v1, 0xf00000\n  ds_read_b32 v2, v1\n  v_lshlrev_b32 v3, 2, v0\n  s_waitcnt lgkmcnt(0)\n"
        "  global_store_dword v3, v2, s[0:1]\n  s_endpgm\n"
    )
    y = np.ones(64, np.float32)
    registers = {"s[0:1]": "y", "v0": "item_x"}
    outcome = api.run(path, kernel="k", target="gfx90a", grid=64, registers=registers, y=y, dynamic_lds=256)
    assert outcome.findings == ()
    assert not y.any()


def test_an_address_below_lds_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("k:\n  v_lshlrev_b32 v1, 2, v0\n  v_subrev_u32 v1, 8, v1\n  ds_read_b32 v2, v1\n  s_endpgm\n")
    outcome = api.run(
        path, kernel="k", target="gfx90a", grid=64, registers={"v0": "item_x"}, dynamic_lds=256, check=False
    )
    outside = next(each for each in outcome.findings if each.rule == "access-outside-memory")
    assert outside.where.line == 3
    assert "lane 0 reads 4 bytes of LDS at -8; the work-group has 256 bytes" in outside.message


@needs_corpus
@pytest.mark.parametrize(("size", "channels", "filters", "images"), [(16, 4, 8, 2), (56, 4, 4, 1)])
def test_a_convolution_by_shifted_lanes(size: int, channels: int, filters: int, images: int) -> None:
    x = whole_numbers(images, channels, size, size).astype(np.float32)
    w = whole_numbers(filters, channels, 3, 3).astype(np.float32)
    y = np.zeros((images, filters, size, size), np.float32)
    names = {"batch_size": images, "img_width": size, "img_height": size, "input_channels": channels}
    names |= {"output_channels": filters, "workgroup_size_x": size, "ROCM_METADATA_VERSION": 5, "group_counts": 1}
    names |= dict.fromkeys(("weights_layout", "reverse_weights", "limit_wave_cnt"), 0)
    names |= {"filters_per_wave": 4, "output_lines_per_wave": 2, "k_group_size_is_power_of_two": 1}
    arguments = {"0": x, "1": w, "2": y, "3": np.float32(0)}
    grid = (size * filters // 4, size // 2, images)
    outcome = api.run(CONVOLUTION_3X3, target="gfx906", defines=names, grid=grid, block=size, arguments=arguments)
    around = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(around, (3, 3), axis=(2, 3))
    assert outcome.findings == ()
    assert (y == np.einsum("nchwij,ocij->nohw", windows, w)).all()


@needs_corpus
@pytest.mark.slow
def test_an_sgemm_of_tensile() -> None:
    m, n, k = 128, 128, 512
    a, b, c = (whole_numbers(*shape).astype(np.float32) for shape in ((m, k), (k, n), (m, n)))
    d = np.zeros(m * n, np.float32)
    numbers = {"strideD0": m, "strideD1": m * n, "strideC0": m, "strideC1": m * n, "strideA0": m, "strideA1": m * k}
    numbers |= {"strideB0": k, "strideB1": k * n, "SizesFree0": m, "SizesFree1": n, "SizesFree2": 1, "SizesSum0": k}
    numbers |= {"NumWorkGroups0": m // 64, "NumWorkGroups1": n // 128, "NumFullBlocks": 1}
    numbers |= dict.fromkeys(("OrigStaggerUIter", "WgmRemainder1", "MagicNumberWgmRemainder1", "padding"), 0)
    arguments: dict[str, Any] = {name: np.uint32(value) for name, value in numbers.items()}
    arguments |= {"sizeC": np.uint64(m * n), "sizeA": np.uint64(m * k), "sizeB": np.uint64(k * n)}
    arguments |= {"D": d, "C": c.ravel("F").copy(), "A": a.ravel("F").copy(), "B": b.ravel("F").copy()}
    arguments |= {"alpha": np.float32(2), "beta": np.float32(3)}
    outcome = api.run(SGEMM, grid=(128 * (m // 64), n // 128), block=128, arguments=arguments)
    assert outcome.findings == ()
    assert (d == (2 * (a @ b) + 3 * c).ravel("F")).all()


def magic(divisor: int) -> tuple[int, int]:
    """The factor and the shift by which the kernels of igemm divide."""
    shift = (divisor - 1).bit_length()
    return ((1 << 32) * ((1 << shift) - divisor) // divisor + 1) & 0xFFFF_FFFF, shift


@needs_corpus
@pytest.mark.parametrize(("height", "width", "channels", "filters"), [(12, 10, 32, 64), (9, 31, 48, 96)])
def test_a_convolution_as_an_implicit_gemm(height: int, width: int, channels: int, filters: int) -> None:
    x, w = (whole_numbers(*shape).astype(np.float32) for shape in ((height * width, channels), (filters, channels)))
    y = np.zeros((height * width, filters), np.float32)
    rows, columns = -(-height * width // 256), -(-filters // 64)
    divisors = [magic(each) for each in (columns, height * width, width, rows * columns)]
    arguments: dict[str, Any] = {name: (each.view(np.uint32) >> 16).astype(np.uint16) for name, each in
                                 (("p_in", x), ("p_wei", w))}  # fmt: skip
    arguments |= {"p_out": y, "hi": height, "wi": width, "n_": 1, "k": filters, "c": channels}
    arguments |= {"ho": height, "wo": width, "pad_h": 0, "pad_w": 0}
    ones = ("stride_h", "stride_w", "dilation_h", "dilation_w", "y_", "x", "group")
    zeros = ("magic_4", "magic_5", "shift_pack_1", "gemm_k_split", "__pack_0")
    arguments |= dict.fromkeys(ones, 1) | dict.fromkeys(zeros, 0)
    arguments |= {f"magic_{number}": np.uint32(factor) for number, (factor, _) in enumerate(divisors)}
    arguments["shift_pack_0"] = np.uint32(sum(shift << 8 * number for number, (_, shift) in enumerate(divisors)))
    outcome = api.run(IGEMM, grid=256 * rows * columns, block=256, arguments=arguments)
    assert outcome.findings == ()
    assert (y == x @ w.T).all()


@needs_corpus
def test_a_convolution_by_winograd() -> None:
    channels, filters, size, out, groups = 4, 16, 14, 7, 2
    x = whole_numbers(1, channels, size, size).astype(np.float32)
    w = whole_numbers(filters, channels, 3, 3).astype(np.float32)
    y = np.full((1, filters, out, out), 99, np.float32)
    flags = 1 << 9 | 1 << 10 | 1 << 14  # strides of N, K and C and of groups are given; the activation has a mode
    sizes = (1, channels, size, size, filters, groups, flags, 0)
    strides: list[int] = []
    for planes, side in ((channels, size), (channels, 3), (filters, out)):
        strides += [planes * side * side, side * side, side, 1]
    of_groups = (1, channels * size * size, filters * channels * 9, filters * out * out)
    values = (*sizes, x, w, y, Null(), 3, 3, 1, 1, out, out, Null(), *[0] * 6, *strides, *of_groups, 0)
    arguments = {str(number): value for number, value in enumerate(values)}
    defines = {"ROCM_METADATA_VERSION": 5}
    outcome = api.run(
        WINOGRAD, target="gfx906", defines=defines, grid=512 * groups, block=512, arguments=arguments, check=False
    )
    # It begins with values of registers and LDS that it later throws away, and drops data at addresses without LDS.
    thrown_away = {"uninitialised-register", "unwritten-lds-read", "access-outside-memory", "lds-race"}
    assert {each.rule for each in outcome.findings} <= thrown_away
    assert outcome.is_complete
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))[:, :, ::2, ::2]
    assert (y == np.einsum("nchwij,kcij->nkhw", windows, w)).all()
