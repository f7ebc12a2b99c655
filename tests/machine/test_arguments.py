"""Arguments as text, and at the places that a kernel reads."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcn_lsp.machine.arguments import Empty, Null, Number, WrongLaunch, parse, placed
from gcn_lsp.machine.kernels import Kernel, KernelArgument


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.5", Number(2.5)),
        ("0x10", Number(16)),
        ("-3", Number(-3)),
        ("f32:1.5", np.float32(1.5)),
        ("u8:255", np.uint8(255)),
        ("i8:255", np.int8(-1)),
        ("i64:-1", np.int64(-1)),
        ("bf16:1.0", np.uint16(0x3F80)),
    ],
)
def test_numbers(text: str, expected: Any) -> None:
    found = parse(text)
    assert found == expected
    assert type(found) is type(expected)


def test_arrays(tmp_path: Path) -> None:
    assert parse("zeros:f32:3").tolist() == [0, 0, 0]
    assert parse("ones:i16:2x2").tolist() == [[1, 1], [1, 1]]
    assert parse("arange:f64:3").dtype == np.float64
    assert (parse("random:f32:8", seed=1) == parse("random:f32:8", seed=1)).all()
    assert isinstance(parse("empty:u32:4"), Empty)
    assert isinstance(parse("null"), Null)
    np.save(tmp_path / "x.npy", np.arange(3))
    assert parse("x.npy", str(tmp_path)).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("zeros:f31:4", "needs a type"),
        ("zeros:f32:many", "needs a number of elements"),
        ("zeros:f64:99999999999", "bytes, more than"),
        ("u8:256", "does not fit into u8"),
        ("i32:1.5", "not an integer"),
        ("f32:x", "not a number"),
        ("what", "neither a number"),
        ("absent.npy", "cannot be read"),
    ],
)
def test_a_wrong_value_is_a_sentence(text: str, said: str) -> None:
    with pytest.raises(WrongLaunch, match=said):
        parse(text)


def test_a_file_of_something_else_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(b"no array")
    with pytest.raises(WrongLaunch, match="not an array"):
        parse("x.npy", str(tmp_path))


KERNEL = Kernel(
    "saxpy",
    0,
    arguments=(
        KernelArgument("x", 0, 8, "global_buffer"),
        KernelArgument("n", 8, 4, "by_value"),
        KernelArgument("a", 12, 4, "by_value", "float"),
        KernelArgument("hidden", 16, 4, "hidden_block_count_x"),
    ),
)


def test_arguments_by_name_and_number() -> None:
    x = np.zeros(4, np.float32)
    by_name = placed(KERNEL, {"x": x, "n": 4, "a": 2})
    assert [(each.name, each.offset) for each in by_name] == [("x", 0), ("n", 8), ("a", 12)]
    assert by_name[0].value is x
    assert by_name[1].value == (4).to_bytes(4, "little")
    assert by_name[2].value == np.float32(2).tobytes()
    by_number = placed(KERNEL, {"0": x, "1": Number(4), "2": np.float32(2)})
    assert [each.value for each in by_number[1:]] == [each.value for each in by_name[1:]]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n": 1, "a": 2}, r"kernel saxpy needs an argument x \(a buffer\)"),
        ({"x": Null(), "n": 1}, r"needs an argument a \(a value of 4 bytes, float\)"),
        ({"x": 1, "n": 1, "a": 1}, "argument x takes an array or null, not a number"),
        ({"x": Null(), "n": np.zeros(2), "a": 1}, "argument n takes a value of 4 bytes, not an array"),
        ({"x": Null(), "n": np.int64(1), "a": 1}, "argument n takes 4 bytes; the value has 8"),
        ({"x": Null(), "n": 1, "a": np.float64(1)}, "argument a takes 4 bytes; the value has 8"),
        ({"x": Null(), "n": 1 << 40, "a": 1}, "argument n has 4 bytes, too few for"),
        ({"x": Null(), "n": 1, "a": 1, "b": 2}, "kernel saxpy has no argument b. Its arguments: x, n, a"),
    ],
)
def test_a_wrong_argument_is_a_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongLaunch, match=said):
        placed(KERNEL, given)


def test_without_metadata_they_follow_each_other() -> None:
    kernel = Kernel("k", 0)
    found = placed(kernel, {"n": Number(3), "x": np.zeros(1), "h": np.float16(1), "s": 2.0})
    assert [(each.name, each.offset, each.size) for each in found] == [
        ("n", 0, 4),
        ("x", 8, 8),
        ("h", 16, 2),
        ("s", 20, 4),
    ]
