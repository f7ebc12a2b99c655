"""Runs every kernel of the code objects of MGPUSim's benchmarks, and compares with the same in numpy.

    python -m tests.running.mgpusim CHECKOUT [PART_OF_A_PATH...]

CHECKOUT is one of https://github.com/sarchlab/mgpusim. Its objects are of OpenCL for gfx803 and of HIP for gfx942; a
kernel has the same arguments in both, but for its LDS: see `Local`. Prints what each kernel executed and how fast, and
counts.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from gcn_lsp.machine import kernels
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.launch import Launch
from gcn_lsp.project import Settings
from gcn_lsp.running import opened as opening
from gcn_lsp.running import runs
from gcn_lsp.running.opened import RunnableFile

Array = NDArray[Any]


class Local(NamedTuple):
    """LDS that a kernel is given in bytes: an offset in OpenCL, memory or nothing in HIP, which has its own LDS."""

    size: int


class Case(NamedTuple):
    """A launch. values: in the order of the arguments. expected: what arrays hold afterwards, by their numbers.

    tolerance: relative, for what is rounded several times; 0 for equal values.
    """

    values: tuple[Any, ...]
    expected: Mapping[int, Array]
    grid: tuple[int, ...]
    block: tuple[int, ...] = (64,)
    tolerance: float = 0.0


class Result(NamedTuple):
    """What came of a kernel. problem: empty if it equals the reference. seconds: of the run alone."""

    kernel: str
    problem: str
    executed: int
    seconds: float
    findings: Mapping[str, int]


def objects(checkout: Path) -> "list[Path]":
    """The code objects of a checkout."""
    return sorted(checkout.rglob("*.hsaco"))


def results(path: Path) -> Iterator[Result]:
    """The kernels of an object, each with one launch. Raises WrongLaunch if it cannot be read."""
    opened = opening.read(str(path), Settings())
    for kernel in kernels.of(opened.image):
        case = (_OTHERS.get((path.name, kernel.name)) or CASES[kernel.name])()
        yield _result(opened, kernel, case)


def _result(opened: RunnableFile, kernel: Kernel, case: Case) -> Result:
    given, dynamic, keys = _given(kernel, case)
    launch = Launch(_sizes(case.grid), _sizes(case.block), given, {}, dynamic)
    start = time.perf_counter()
    try:
        outcome = runs.run(opened, kernel, launch)
    except WrongLaunch as error:
        return Result(kernel.name, str(error), 0, 0.0, {})
    seconds = time.perf_counter() - start
    problem = "" if outcome.is_complete else "it did not reach its end"
    for number, expected in case.expected.items():
        after = outcome.arrays[keys[number]].astype(np.float64)
        far = ~(np.abs(after - expected) <= case.tolerance * np.maximum(np.abs(expected), 1.0))
        if far.any():
            problem = problem or f"argument {number} differs in {int(far.sum())} of {far.size} elements"
    return Result(kernel.name, problem, outcome.executed, seconds, Counter(each.rule for each in outcome.findings))


def _given(kernel: Kernel, case: Case) -> "tuple[dict[str, Any], int, dict[int, str]]":
    """The arguments by number, the bytes of LDS that a launch adds, and the number of each value of the case."""
    has_metadata = kernel.arguments is not None
    explicit = [each for each in kernel.arguments or () if not each.is_hidden]
    is_left_out = has_metadata and len(explicit) < len(case.values)
    dynamic, given, keys = 0, dict[str, Any](), dict[int, str]()
    for number, value in enumerate(case.values):
        plain = value
        if isinstance(value, Local):
            plain = np.zeros(value.size, np.uint8) if has_metadata else np.uint32(dynamic)
            dynamic += value.size
            if is_left_out:
                continue
        keys[number] = str(len(given))
        given[keys[number]] = plain
    return given, dynamic, keys


def _sizes(given: "tuple[int, ...]") -> tuple[int, int, int]:
    x, y, z = (*given, 1, 1)[:3]
    return x, y, z


def _source(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _floats(*shape: int) -> Array:
    """Small whole numbers, of which all sums and products are exact."""
    return _source(sum(shape)).integers(-8, 9, shape).astype(np.float32)


def _numbers(most: int, *shape: int) -> Array:
    return _source(most + sum(shape)).integers(0, most, shape).astype(np.int32)


def _between(*shape: int) -> Array:
    """Between 1/4 and 2."""
    return _source(sum(shape)).uniform(0.25, 2, shape).astype(np.float32)


def _zeros(*shape: int) -> Array:
    return np.zeros(shape, np.float32)


def _unsigned(*values: int) -> bytes:
    return np.array(values, np.uint32).tobytes()


def _copied() -> Case:
    x = _floats(192)
    return Case((x, _zeros(192), 180), {1: np.where(np.arange(192) < 180, x, 0)}, (192,))


def _pushed() -> Case:
    x = _floats(192)
    return Case((x, _zeros(192), 180, 64), {1: np.where(np.arange(192) < 180, x, 0)}, (64,))


def _reduced() -> Case:
    x, kept = _floats(192), _floats(193)[:192].copy()
    return Case((x, kept, 192, 64, 4, 1), {1: (x + kept) / 4}, (64,))


def _nothing() -> Case:
    return Case((), {}, (128,))


def _rectified() -> Case:
    x = _floats(128)
    return Case((120, x, _zeros(128)), {2: np.where(np.arange(128) < 120, np.maximum(x, 0), 0)}, (128,))


def _rectified_tensor() -> Case:
    x = _floats(128)
    return Case((x, _zeros(128), 128), {1: np.maximum(x, 0)}, (128,))


def _rectified_backwards() -> Case:
    x, back = _floats(128), _floats(130)[:128].copy()
    return Case((x, back, _zeros(128), 128), {2: np.where(x > 0, back, 0)}, (128,))


def _repeated() -> Case:
    x = _floats(40)
    return Case((_zeros(128), x, 40, 127), {0: x[np.arange(128) % 40]}, (128,))


def _cross_entropy() -> Case:
    x, label = _between(8, 16), _numbers(16, 8)
    expected = np.where(np.arange(16) == label[:, None], -1 / x, 0)
    return Case((_zeros(8, 16), x, label, 8, 16), {0: expected}, (128,), tolerance=1e-6)


def _softmax_cross_entropy() -> Case:
    x, label = _between(8, 16), _numbers(16, 8)
    return Case((_zeros(8, 16), x, label, 8, 16), {0: x - (np.arange(16) == label[:, None])}, (128,))


def _pooled(x: Array, fill: float) -> Array:
    """The windows of 3 by 3 with strides of 2 and a border of 1."""
    around = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=fill)
    return sliding_window_view(around, (3, 3), axis=(2, 3))[:, :, ::2, ::2]


_POOL = (2, 4, 8, 8, 4, 4, 3, 3, 2, 2, 1, 1)
"""Images, channels, height, width, those of the result, kernel, strides, borders."""


def _average() -> Case:
    x = _floats(2, 4, 8, 8)
    expected = _pooled(x, 0).sum((4, 5)) / 9
    return Case((128, x, *_POOL, _zeros(2, 4, 4, 4)), {14: expected}, (128,), tolerance=1e-6)


def _average_backwards() -> Case:
    top = _floats(2, 4, 4, 4)
    expected = np.zeros((2, 4, 10, 10))
    for y, x in np.ndindex(4, 4):
        expected[:, :, 2 * y : 2 * y + 3, 2 * x : 2 * x + 3] += top[:, :, y, x, None, None] / 9
    return Case((512, top, *_POOL, _zeros(2, 4, 8, 8)), {14: expected[:, :, 1:9, 1:9]}, (512,), tolerance=1e-6)


def _greatest_of(x: Array) -> Array:
    """The place of the greatest element of each window in the whole array."""
    y = np.arange(512).reshape(x.shape)
    windows, places = _pooled(x, -np.inf), _pooled(y, -1)
    flat = windows.reshape(*windows.shape[:4], 9).argmax(-1)
    return np.take_along_axis(places.reshape(*places.shape[:4], 9), flat[..., None], -1)[..., 0].astype(np.int32)


def _greatest() -> Case:
    x = _between(2, 4, 8, 8)
    places = _greatest_of(x)
    values = (128, x, *_POOL, _zeros(2, 4, 4, 4), np.zeros((2, 4, 4, 4), np.int32))
    return Case(values, {14: x.reshape(-1)[places], 15: places}, (128,))


def _greatest_backwards() -> Case:
    top, places = _floats(2, 4, 4, 4), _greatest_of(_between(2, 4, 8, 8))
    expected = np.bincount(places.reshape(-1), top.reshape(-1), 512).reshape(2, 4, 8, 8)
    return Case((512, top, places, *_POOL, _zeros(2, 4, 8, 8)), {15: expected}, (512,))


def _gemm() -> Case:
    a, b, c = _floats(32, 20), _floats(20, 32), _floats(32, 32)
    values = (32, 32, 20, np.float32(2), np.float32(3), a, b, c, _zeros(32, 32))
    return Case(values, {8: 2 * (a @ b) + 3 * c}, (32, 32), (16, 16))


def _columns(x: Array) -> Array:
    """The windows of 3 by 3 of an image: rows of elements of the kernel, columns of places."""
    around = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(around, (3, 3), axis=(2, 3))[:, :, ::2, ::2]
    return windows.transpose(1, 4, 5, 0, 2, 3).reshape(x.shape[1] * 9, -1)


def _im2col(rows: "tuple[int, ...]" = ()) -> Case:
    x = _floats(2, 3, 8, 8)
    expected = _columns(x)
    pairs = (_unsigned(8, 8), _unsigned(3, 3), _unsigned(2, 2), _unsigned(1, 1), _unsigned(1, 1))
    return Case((x, _zeros(*expected.shape), *pairs, 3, 2), {1: expected}, (32, *rows), (32, *(1 for _ in rows)))


def _im2col_before() -> Case:
    """The function of operator.cl before MGPUSim's commit f295c1b5: sizes of the image where the mask's belong."""
    now, x = _im2col(), _floats(2, 3, 8, 8)
    around = np.pad(x, ((0, 0), (0, 0), (1, 8), (1, 8)))
    expected = _zeros(27, 2, 4, 4)
    for row, channel in ((each, each // 64) for each in range(27)):
        y, left = row % 64 // 8, row % 8
        expected[row] = around[:, channel, y : y + 8 : 2, left : left + 8 : 2]
    return now._replace(expected={1: expected.reshape(27, 32)})


def _with_indices(x: Array, out: Array, *more: "tuple[int, ...]") -> tuple[Any, ...]:
    """The arguments of a kernel that goes through a tensor: sizes, and room for the places of each item."""
    sizes = [np.array(each, np.int32) for each in (x.shape, out.shape, *more)]
    room = (np.zeros(x.ndim * out.size, np.int32), np.zeros(x.ndim * out.size, np.int32))
    return (x, _zeros(*out.shape), *sizes, *room, x.ndim)


def _transposed_tensor() -> Case:
    x, order = _floats(2, 4, 8), (2, 0, 1)
    expected = x.transpose(order)
    return Case(_with_indices(x, expected, order), {1: expected}, (64,))


def _rotated() -> Case:
    x = _floats(2, 4, 8)
    return Case(_with_indices(x, x), {1: x[:, ::-1, ::-1]}, (64,))


def _dilated() -> Case:
    x, expected = _floats(2, 4, 4), _zeros(2, 8, 8)
    expected[:, ::2, ::2] = x
    return Case(_with_indices(x, expected, (2, 2)), {1: expected}, (128,))


def _exponential() -> Case:
    x = _floats(128)
    return Case((x, _zeros(128), 128), {1: np.exp(x.astype(np.float64))}, (128,), tolerance=1e-6)


def _divided() -> Case:
    x, by = _between(8, 16), _between(8)
    return Case((x, _zeros(8, 16), by, 128, 8), {1: x / by[:, None]}, (128,), tolerance=1e-6)


def _summed() -> Case:
    x = _floats(4, 5, 16)
    sizes = (np.array(x.shape, np.int32), np.array((4, 16), np.int32))
    room = (np.zeros(3 * 64, np.int32), np.zeros(2 * 64, np.int32))
    return Case((x, _zeros(4, 16), *sizes, 3, 1, *room), {1: x.sum(1)}, (64,))


def _scaled() -> Case:
    a, b = _floats(128), _floats(130)[:128].copy()
    return Case((_zeros(128), a, b, np.float32(2), np.float32(-3), 127), {0: 2 * a - 3 * b}, (128,))


def _multiplied() -> Case:
    a, b = _floats(128), _floats(130)[:128].copy()
    return Case((_zeros(128), a, b, 127), {0: a * b}, (128,))


def _rms() -> Case:
    p, g, s = _floats(128), _between(128), _between(129)[:128].copy()
    kept = 0.75 * s + 0.25 * g.astype(np.float64) ** 2
    values = (p, g, s, np.float32(0.75), np.float32(0.5), 127)
    return Case(values, {0: p - 0.5 * g / (np.sqrt(kept) + 1e-6), 2: kept}, (128,), tolerance=1e-6)


def _adam() -> Case:
    p, g, s, v = _floats(128), _between(128), _between(129)[:128].copy(), _between(130)[:128].copy()
    first, second = 0.5 * v + 0.5 * g.astype(np.float64), 0.75 * s + 0.25 * g.astype(np.float64) ** 2
    values = (p, g, s, v, np.float32(0.5), np.float32(0.75), np.float32(0.25), 127)
    expected = {0: p - 0.25 * first / (np.sqrt(second) + 1e-8), 2: second, 3: first}
    return Case(values, expected, (128,), tolerance=1e-6)


def _needleman_wunsch(blocks: "tuple[tuple[int, int], ...]", *, second: bool) -> Case:
    """Blocks of 16 by 16 on a diagonal; their borders are what is there."""
    size, cols, penalty = 16, 33, 3
    reference, items = _numbers(20, cols, cols) - 10, _numbers(20, cols, cols) - 10
    expected = items.copy()
    for row, column in blocks:
        for y in range(row * size + 1, row * size + size + 1):
            for x in range(column * size + 1, column * size + size + 1):
                corner = expected[y - 1, x - 1] + reference[y, x]
                expected[y, x] = max(corner, expected[y, x - 1] - penalty, expected[y - 1, x] - penalty)
    lds = (Local(4 * 17 * 17), Local(4 * 16 * 16))
    values = (reference, items, np.zeros_like(items), *lds, cols, penalty, 1 if second else 2, size, 2, 32, 0, 0)
    return Case(values, {1: expected}, (size * len(blocks),), (size,))


def _copied_rectangle() -> Case:
    source, target = _floats(20, 16), _floats(20, 24)
    expected = target.copy()
    rows = source.reshape(-1)[3 : 3 + 18 * 16].reshape(18, 16)
    expected.reshape(-1)[5 : 5 + 18 * 24].reshape(18, 24)[:, :8] = rows[:, :8]
    return Case((target, 5, 24, source, 3, 16, 8, 18), {0: expected}, (64,))


def _stencil() -> Case:
    x = _floats(18, 80)
    expected = x.copy()
    cross = x[:-2, 1:65] + x[2:, 1:65] + x[1:-1, 2:66] + x[1:-1, :64]
    corners = x[:-2, 2:66] + x[2:, 2:66] + x[:-2, :64] + x[2:, :64]
    expected[1:-1, 1:65] = 0.5 * x[1:-1, 1:65] + 0.25 * cross + 0.125 * corners
    weights = (np.float32(0.5), np.float32(0.25), np.float32(0.125))
    return Case((x, x.copy(), 16, *weights, Local(4 * 18 * 66)), {1: expected}, (1, 64), (1, 64))


def _rows() -> "tuple[Array, Array, Array]":
    """A sparse matrix of 64 rows: values, columns, and where rows begin."""
    lengths = _numbers(9, 64)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return _floats(int(starts[-1])), _numbers(64, int(starts[-1])), starts


def _sparse(values: Array, columns: Array, starts: Array, x: Array) -> Array:
    return np.bincount(np.repeat(np.arange(64), np.diff(starts)), values * x[columns], 64)


def _sparse_rows() -> Case:
    (values, columns, starts), x = _rows(), _floats(64)
    return Case((values, x, columns, starts, 64, _zeros(64)), {5: _sparse(values, columns, starts, x)}, (64,))


def _sparse_lanes() -> Case:
    (values, columns, starts), x = _rows(), _floats(64)
    arguments = (values, x, columns, starts, 64, 32, Local(4 * 128), _zeros(64))
    return Case(arguments, {7: _sparse(values, columns, starts, x)}, (2048,), (128,))


def _sparse_padded() -> Case:
    lengths, x = _numbers(9, 64), _floats(64)
    values, columns = _floats(8, 64), _numbers(64, 8, 64)
    expected = np.where(np.arange(8)[:, None] < lengths, values * x[columns], 0).sum(0)
    return Case((values, x, columns, lengths, 64, _zeros(64)), {5: expected}, (64,))


def _breadth_first() -> Case:
    _, neighbours, starts = _rows()
    levels = np.full(64, -1, np.int32)
    levels[[3, 40]] = 0
    expected = levels.copy()
    reached = np.concatenate([neighbours[starts[each] : starts[each + 1]] for each in (3, 40)])
    expected[[each for each in reached if levels[each] < 0]] = 1
    values = (levels, starts, neighbours, 32, 32, 64, 0, np.zeros(1, np.int32))
    return Case(values, {0: expected, 7: np.ones(1)}, (64,))


def _pairs(values: Array) -> Array:
    return np.stack([values.real, values.imag], -1).astype(np.float32)


def _transformed() -> Case:
    x = _floats(2, 512) + 1j * _floats(2, 512)[::-1]
    return Case((_pairs(x), Local(4 * 8 * 8 * 9)), {0: _pairs(np.fft.fft(x))}, (128,), tolerance=1e-4)


def _transformed_back() -> Case:
    x = _floats(2, 512) + 1j * _floats(2, 512)[::-1]
    return Case((_pairs(x),), {0: _pairs(np.fft.ifft(x))}, (128,), tolerance=2e-5)


def _checked() -> Case:
    x = np.tile(_floats(512, 2), (2, 1))
    x[700, 1] += 1
    return Case((x, 512, np.zeros(1, np.int32)), {2: np.ones(1)}, (64,))


def _product() -> Case:
    a, b = _floats(32, 64), _floats(64, 32)
    return Case((a, b, _zeros(32, 32), 64, Local(16 * 8 * 32)), {2: a @ b}, (8, 8), (8, 8))


def _walsh() -> Case:
    x = _floats(256)
    pairs = x.reshape(-1, 2, 4)
    return Case((x, 4), {0: np.stack([pairs.sum(1), pairs[:, 0] - pairs[:, 1]], 1).reshape(-1)}, (128,))


def _bodies() -> Case:
    place, speed, step, soft = _between(128, 4), _floats(128, 4), 0.5, 0.25
    wide = place.astype(np.float64)
    way = wide[None] - wide[:, None]
    distance = (way[..., :3] ** 2).sum(-1) + soft
    force = (wide[None, :, 3, None] * distance[..., None] ** -1.5 * way).sum(1)
    moved = wide + speed * step + force * 0.5 * step * step
    moved[:, 3] = place[:, 3]
    arguments = (place, speed, 128, np.float32(step), np.float32(soft), Local(16 * 128), _zeros(128, 4), _zeros(128, 4))
    return Case(arguments, {6: moved, 7: speed + force * step}, (128,), (128,), tolerance=1e-5)


def _transposed() -> Case:
    x = _floats(64, 64)
    return Case((_zeros(64, 64), x, Local(16 * 8 * 32), 16, 16, 2, 0, 0), {0: x.T}, (16, 16), (8, 8))


def _shortest() -> Case:
    distance, path = _numbers(100, 16, 16) + 1, _numbers(16, 16, 16)
    through = distance[:, 3, None] + distance[None, 3]
    expected = {0: np.minimum(distance, through), 1: np.where(through < distance, 3, path)}
    return Case((distance, path, 16, 3), expected, (16, 16), (16, 4))


def _added() -> Case:
    b, c = _floats(16, 48), _floats(48, 16).reshape(16, 48)
    return Case((_zeros(16, 48), b, c, 48, 16), {0: b + c}, (48, 16), (16, 16))


def _sorted() -> Case:
    x = _numbers(1 << 30, 256)
    expected = x.copy()
    for item in range(128):
        left = item % 2 + item // 2 * 4
        low, high = sorted((x[left], x[left + 2]))
        expected[left], expected[left + 2] = (high, low) if item // 4 % 2 else (low, high)
    return Case((x, 2, 1, 1), {0: expected}, (128,))


def _image() -> "tuple[Array, Array]":
    return _numbers(256, 18, 18), _floats(3, 3) / 16


def _convolved() -> Case:
    x, mask = _image()
    sums = (sliding_window_view(x, (3, 3)) * mask).sum((2, 3)) + 0.5
    values = (x, mask, np.zeros((16, 16), np.int32), *(np.uint32(each) for each in (16, 16, 3, 3, 18)))
    return Case(values, {2: np.trunc(sums)}, (256,))


def _convolved_rows() -> Case:
    x, _ = _image()
    mask = _floats(3) / 16
    expected = np.zeros((16, 18), np.float32)
    expected[:] = (sliding_window_view(x, 3, axis=1) * mask).sum(-1).T
    values = (x, mask, _zeros(16, 18), np.uint32(16), np.uint32(16), np.uint32(3), _unsigned(18, 18))
    return Case(values, {2: expected}, (320,))


def _convolved_columns() -> Case:
    x, mask = _floats(16, 18), _floats(3) / 16
    sums = (sliding_window_view(x, 3, axis=1) * mask).sum(-1).T + 0.5
    values = (x, mask, np.zeros((16, 16), np.int32), np.uint32(16), np.uint32(16), np.uint32(3), _unsigned(18, 18))
    return Case(values, {2: np.trunc(sums)}, (256,))


def _encrypted() -> Case:
    source = _source(1)
    state, keys = source.integers(0, 256, (64, 16)).astype(np.uint8), source.integers(0, 1 << 32, 60).astype(np.uint32)
    box = source.permutation(256).astype(np.uint8)
    rounds = keys.astype(">u4").view(np.uint8).reshape(15, 16)
    shifted = np.array([0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11])
    found = state ^ rounds[0]
    for number in range(1, 15):
        found = box[found][:, shifted]
        if number < 14:
            a = found.reshape(64, 4, 4)
            b = (a << 1) ^ np.where(a & 0x80, 0x1B, 0).astype(np.uint8)
            c = np.roll(a, -1, 2)
            found = (b ^ np.roll(b, -1, 2) ^ c ^ np.roll(a, -2, 2) ^ np.roll(a, -3, 2)).reshape(64, 16)
        found = found ^ rounds[number]
    return Case((state, keys, box), {0: found}, (64,))


def _clusters() -> Case:
    points, centres = _floats(5, 128), _floats(4, 5)
    far = ((points.T[:, None] - centres) ** 2).sum(-1)
    values = (points, centres, np.full(128, 9, np.int32), 128, 4, 5, 0, 0)
    return Case(values, {2: far.argmin(1)}, (128,))


def _swapped() -> Case:
    x = _floats(128, 5)
    return Case((x, _zeros(5, 128), 128, 5), {1: x.T}, (128,))


def _filtered() -> Case:
    taps, x, history = _floats(8), _floats(128), _floats(9)[:8].copy()
    whole = np.concatenate([history, x])
    return Case((_zeros(128), taps, x, history, 8), {0: sliding_window_view(whole, 8)[1:] @ taps[::-1]}, (128,))


def _page_rank() -> Case:
    (values, columns, starts), x = _rows(), _floats(64)
    expected = _sparse(values, columns, starts, x)
    return Case((64, starts, columns, values, Local(256), x, _zeros(64)), {6: expected}, (64 * 64,))


def _matrix_by_vector(given: int, kept: int, *, by_columns: bool, adds: bool) -> Case:
    """A matrix or its transpose by a vector. given, kept: numbers of the arguments of the vector and the result."""
    a, x = _floats(128, 40), _floats(128 if by_columns else 40)
    expected = a.T @ x if by_columns else a @ x
    before = _floats(len(expected))
    values = {0: a, given: x, kept: before}
    return Case((values[0], values[1], values[2], 128, 40), {kept: expected + before * adds}, (128,))


CASES: Mapping[str, Callable[[], Case]] = {
    "copyKernel": _copied, "microbench": _nothing, "pushData": _pushed, "reduceData": _reduced,
    "ReLUForward": _rectified, "reluForward": _rectified_tensor, "reluBackward": _rectified_backwards,
    "repeat": _repeated, "cross_entropy_derivative": _cross_entropy,
    "softmax_cross_entropy_derivative": _softmax_cross_entropy, "AvgPoolForward": _average,
    "AvgPoolBackward": _average_backwards, "MaxPoolForward": _greatest, "MaxPoolBackward": _greatest_backwards,
    "gemm": _gemm, "gemm_old": _gemm, "im2col": _im2col, "im2col_2d": lambda: _im2col((27,)),
    "transpose_tensor": _transposed_tensor, "rotate_tensor": _rotated, "dilate_tensor": _dilated,
    "softmax_exp": _exponential, "softmax_div": _divided, "sum_one_axis": _summed, "scaleAdd": _scaled,
    "mul": _multiplied, "rmsProp": _rms, "adam": _adam,
    "nw_kernel1": lambda: _needleman_wunsch(((1, 0), (0, 1)), second=False),
    "nw_kernel2": lambda: _needleman_wunsch(((1, 1),), second=True), "CopyRect": _copied_rectangle,
    "StencilKernel": _stencil, "spmv_csr_scalar_kernel": _sparse_rows, "spmv_csr_vector_kernel": _sparse_lanes,
    "spmv_ellpackr_kernel": _sparse_padded, "BFS_kernel_warp": _breadth_first, "fft1D_512": _transformed,
    "ifft1D_512": _transformed_back, "chk1D_512": _checked, "mmmKernel_local": _product,
    "fastWalshTransform": _walsh, "nbody_sim": _bodies, "matrixTranspose": _transposed,
    "floydWarshallPass": _shortest, "_Z15vectoradd_floatPfPKfS1_ii": _added, "BitonicSort": _sorted,
    "simpleNonSeparableConvolution": _convolved, "simpleSeparableConvolutionPass1": _convolved_rows,
    "simpleSeparableConvolutionPass2": _convolved_columns, "Encrypt": _encrypted, "kmeans_kernel_compute": _clusters,
    "kmeans_kernel_swap": _swapped, "FIR": _filtered, "PageRankUpdateGpu": _page_rank,
    "bicgKernel1": lambda: _matrix_by_vector(1, 2, by_columns=False, adds=False),
    "bicgKernel2": lambda: _matrix_by_vector(1, 2, by_columns=True, adds=False),
    "atax_kernel1": lambda: _matrix_by_vector(1, 2, by_columns=False, adds=True),
    "atax_kernel2": lambda: _matrix_by_vector(2, 1, by_columns=True, adds=True),
}  # fmt: skip

_OTHERS = {("operator.hsaco", "im2col"): _im2col_before}  # those compiled from another source


def main() -> int:
    """The command."""
    checkout, parts = Path(sys.argv[1]), sys.argv[2:]
    whole, right, equal, tried, executed, seconds = 0, 0, 0, 0, 0, 0.0
    for path in objects(checkout):
        name = path.relative_to(checkout)
        if parts and not any(part in str(name) for part in parts):
            continue
        whole += 1
        try:
            found = list(results(path))
        except WrongLaunch as error:
            print(f"{name}: {error}", flush=True)
            continue
        right += bool(found) and not any(each.problem for each in found)
        for each in found:
            tried += 1
            equal += not each.problem
            executed += each.executed
            seconds += each.seconds
            said = ", ".join(f"{rule} {count}" for rule, count in each.findings.items())
            print(f"{name} {each.kernel}: {each.problem or 'equal'}; {each.executed} in {each.seconds:.3f} s"
                  + (f"; {said}" if said else ""), flush=True)  # fmt: skip
    print(f"{right} of {whole} objects, {equal} of {tried} kernels equal their references; "
          f"{executed} wave instructions in {seconds:.1f} s")  # fmt: skip
    return int(right < whole)


if __name__ == "__main__":
    sys.exit(main())
