"""Code objects that AMD ships with aiter, run from the arguments of its launchers, against numpy.

The environment variable `GCN_LSP_AITER` names a checkout of https://github.com/ROCm/aiter. Its newest commits have no
`layer_norm.co`: put the one of commit 1f689d5d43 (2025-01-01) at the top of the checkout.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gcn_lsp import project
from gcn_lsp.machine.arguments import Null
from gcn_lsp.running import api, opened, runs
from gcn_lsp.running.runs import Outcome

AITER = Path(os.environ.get("GCN_LSP_AITER", "aiter"))
OBJECTS = AITER / "hsa" / "gfx942"
GEMM = OBJECTS / "bf16gemm" / "bf16gemm_fp32bf16_tn_32x64_pf3_splitk.co"
ATTENTION = OBJECTS / "fmha_v3_fwd" / "MI300" / "fwd_hd128_bf16_rtne.co"
TOP_K = OBJECTS / "topksoftmax" / "topksoftmax_4x128x8.co"
NORM = AITER / "layer_norm.co"

Floats = NDArray[Any]


def needs(path: Path) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not path.exists(), reason=f"GCN_LSP_AITER names no checkout of aiter with {path.name}")


def shortened(values: Floats, *, to_even: bool = True) -> NDArray[np.uint16]:
    """The bits of the nearest bf16; half of a unit goes to the even one, or away from 0."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return (bits + (0x7FFF + (bits >> 16 & 1) if to_even else 0x8000) >> 16).astype(np.uint16)


def lengthened(bits: NDArray[np.uint16]) -> Floats:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def run(path: Path, values: "tuple[Any, ...]", **launch: Any) -> Outcome:
    """A run whose arguments are in the order of the launcher; between them the kernel has padding."""
    kernel = runs.kernel_of(opened.read(os.fspath(path), project.Settings()))
    rest = iter(values)
    arguments: dict[str, Any] = {}
    for number, each in enumerate(kernel.arguments or ()):
        arguments[str(number)] = bytes(each.size) if each.name.startswith("pad") else next(rest, bytes(each.size))
    return api.run(path, arguments=arguments, check=False, **launch)


@needs(GEMM)
@pytest.mark.parametrize(("rows", "columns", "depth"), [(32, 64, 128), (64, 128, 320)])
def test_a_gemm(rows: int, columns: int, depth: int) -> None:
    source = np.random.default_rng(1)
    a, b = source.integers(-4, 5, (rows, depth)), source.integers(-4, 5, (columns, depth))
    out = np.zeros((rows, columns), np.float32)
    strides = (4 * columns, 0, 4 * columns, 0, 2 * depth, 0, 2 * depth, 0)
    pointers = (out, Null(), shortened(a), shortened(b))
    values = (*pointers, 1.0, 0.0, *strides, rows, columns, depth, 1, 0, Null(), 0, Null())
    outcome = run(GEMM, values, grid=(256 * columns // 64, rows // 32), block=256)
    assert outcome.findings == ()
    assert (out == a @ b.T).all()


@needs(ATTENTION)
@pytest.mark.parametrize(("heads", "queries", "keys"), [(1, 256, 64), (2, 512, 160)])
def test_an_attention_forward(heads: int, queries: int, keys: int) -> None:
    depth, source = 128, np.random.default_rng(2)
    q, k, v = (shortened(source.standard_normal((rows, heads, depth)) / 2) for rows in (queries, keys, keys))
    out, sums = np.zeros((queries, heads, depth), np.uint16), np.zeros((heads, queries), np.float32)
    scale, row = depth**-0.5, 2 * heads * depth
    of_queries = (queries, row, 256 * row, 2 * depth, queries * row, 1)
    of_keys = (row, 2 * depth, keys * row)
    sizes = (5, 1, keys, depth, depth, heads)
    of_out = (row, 2 * depth, queries * row)
    rest = (Null(), Null(), 4 * queries, Null(), Null())
    values = (out, q, k, v, sums, np.float32(scale), *of_queries, *of_keys, *sizes, *of_keys, *of_out, *rest)
    outcome = run(ATTENTION, values, grid=(512 * queries // 256, heads), block=512)
    scores = np.einsum("qhd,khd->hqk", lengthened(q), lengthened(k)).astype(np.float64) * scale
    top = scores.max(-1, keepdims=True)
    powers = np.exp(scores - top)
    total = powers.sum(-1, keepdims=True)
    assert outcome.findings == ()
    assert np.abs(lengthened(out) - np.einsum("hqk,khd->qhd", powers / total, lengthened(v))).max() < 2**-9
    assert np.abs(sums - (top + np.log(total))[..., 0]).max() < 1e-6


@needs(TOP_K)
def test_the_largest_of_a_softmax() -> None:
    rows, width, count = 7, 128, 8
    logits = np.random.default_rng(3).standard_normal((rows, width)).astype(np.float32)
    places, weights = np.zeros((rows, count), np.int32), np.zeros((rows, count), np.float32)
    values = (places, weights, logits, rows, width, count, 1, 4 * count)
    outcome = run(TOP_K, values, grid=256 * -(-rows // 4), block=256)
    powers = np.exp(logits.astype(np.float64))
    expected = np.argsort(-powers, 1)[:, :count]
    chosen = np.take_along_axis(powers, expected, 1)
    assert outcome.findings == ()
    assert (places == expected).all()
    assert np.abs(weights - chosen / chosen.sum(1, keepdims=True)).max() < 1e-6


@needs(NORM)
def test_a_norm() -> None:
    rows, width, source = 2, 8192, np.random.default_rng(4)
    x, more = (shortened(source.standard_normal((rows, width))) for _ in range(2))
    weight, bias = (shortened(source.standard_normal(width)) for _ in range(2))
    out, kept = np.zeros((rows, width), np.uint16), np.zeros((rows, width), np.uint16)
    values = (out, x, weight, bias, np.float32(1e-5), rows, width, kept, more, Null(), Null())
    outcome = run(NORM, values, grid=256 * rows // 2, block=256)
    # No barrier keeps the sums of the first row from being overwritten by those of the second.
    assert {each.rule for each in outcome.findings} == {"lds-race"}
    total = lengthened(x) + lengthened(more)
    assert (kept == shortened(total, to_even=False)).all()
    # This version computes the mean and leaves it in: it divides by the root of the mean square.
    root = np.sqrt((total.astype(np.float64) ** 2).mean(1, keepdims=True) + 1e-5)
    expected = total / root * lengthened(weight) + lengthened(bias)
    assert (np.abs(lengthened(out) - expected) <= np.maximum(np.abs(expected) * 2**-8, 1e-5)).all()
