"""The arguments of a launch: reads them from text, and lays them out as a kernel expects them.

A value is an array, which becomes a buffer in memory, or a single number, which is passed as it is. As text it is

    2.0, 17, 0x10       a number: a float or an integer of the size that the kernel says
    f32:2.0, i64:-1     a number of a type
    x.npy               an array in a file of numpy's
    zeros:f32:1024      an array of zeros; `ones`, `arange`, `random` (between 0 and 1, by the seed), and `empty`, in
                        which reading before writing is reported; several dimensions as 16x16
    null                a pointer to nothing
"""

import difflib
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gcn_lsp.machine.kernels import Kernel, KernelArgument
from gcn_lsp.records import NamedTuple

Array = NDArray[Any]


class WrongLaunch(Exception):
    """What is asked for cannot be launched; the text is a sentence about why."""


class MissingArgument(WrongLaunch):
    """A launch without arguments that the kernel has. missing: them, by the names that a launch gives them."""

    def __init__(self, kernel: str, missing: Mapping[int, KernelArgument]) -> None:
        self.missing = tuple(missing.values())
        number, first = next(iter(missing.items()))
        super().__init__(f"kernel {kernel} needs an argument {_described(first, number)}.")


class Null:
    """A pointer to nothing."""


class Empty(NamedTuple):
    """A buffer in which nothing is written yet."""

    array: Array


class Number(NamedTuple):
    """A number without a type: the kernel says how large it is."""

    value: "int | float"


_TYPES = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
}  # fmt: skip
_MAKERS = ("zeros", "ones", "arange", "random", "empty")
_MOST = 1 << 32  # bytes of an array
_SHAPE = re.compile(r"\d+(?:x\d+)*")


def parse(text: str, directory: str = "", seed: int = 0) -> Any:
    """The value that a text says; files are looked for in `directory`. Raises WrongLaunch."""
    head, _, rest = text.partition(":")
    if text == "null":
        return Null()
    if head in _MAKERS:
        return _made(head, rest, text, seed)
    if head in _TYPES:
        number = _number(rest)
        if number is None:
            raise WrongLaunch(f"{rest!r} in {text!r} is not a number.")
        return _typed(number.value, head)
    if text.endswith(".npy"):
        return _read(os.path.join(directory, text))
    number = _number(text)
    if number is not None:
        return number
    raise WrongLaunch(f"{text!r} is neither a number nor a file .npy nor an array such as zeros:f32:1024.")


def _number(text: str) -> "Number | None":
    try:
        return Number(int(text, 0))
    except ValueError:
        try:
            return Number(float(text))
        except ValueError:
            return None


def _typed(value: "int | float", name: str) -> Any:
    kind = _TYPES[name]
    if name == "bf16":
        return np.uint16(np.float32(value).view(np.uint32) >> 16)
    if isinstance(value, float) and name[0] in "iu":
        raise WrongLaunch(f"{value} is not an integer, which {name} needs.")
    if isinstance(value, int) and name[0] in "iu":
        bits = int(name[1:])
        if not -(1 << bits - 1) <= value < 1 << bits:
            raise WrongLaunch(f"{value} does not fit into {name}.")
        return np.array(value & (1 << bits) - 1, f"u{bits // 8}").view(kind)[()]
    return np.array(value, kind)[()]


def _read(path: str) -> Array:
    try:
        found: Array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise WrongLaunch(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise WrongLaunch(f"{path} is not an array of numpy's: {error}.") from error
    return np.ascontiguousarray(found)


def _made(maker: str, rest: str, text: str, seed: int) -> Any:
    name, _, shape = rest.partition(":")
    if name not in _TYPES:
        raise WrongLaunch(f"{text!r} needs a type: {maker}:f32:1024; the types are {', '.join(_TYPES)}.")
    if not _SHAPE.fullmatch(shape):
        raise WrongLaunch(f"{text!r} needs a number of elements, such as {maker}:{name}:1024 or 16x16.")
    sizes = tuple(map(int, shape.split("x")))
    count = 1
    for each in sizes:
        count *= each
    kind = np.dtype(_TYPES[name])
    if count * kind.itemsize > _MOST:
        raise WrongLaunch(f"{text!r} would have {count * kind.itemsize} bytes, more than {_MOST}.")
    if maker == "arange":
        found = np.arange(count).astype(np.float32 if name == "bf16" else kind)
    elif maker == "random":
        values = np.random.default_rng(seed).random(count)
        scale = 1.0 if name[0] in "fb" else 256.0
        found = (values * scale).astype(np.float32 if name == "bf16" else kind)
    else:
        found = np.full(count, 1 if maker == "ones" else 0, np.float32 if name == "bf16" else kind)
    if name == "bf16":
        found = (found.view(np.uint32) >> 16).astype(np.uint16)
    found = found.reshape(sizes)
    return Empty(found) if maker == "empty" else found


class Placed(NamedTuple):
    """An argument in the kernarg segment: its name, where it is, and its value."""

    name: str
    offset: int
    size: int
    value: Any


def missing(kernel: Kernel, given: Mapping[str, Any]) -> tuple[KernelArgument, ...]:
    """The arguments of a kernel that a launch does not give."""
    return tuple(_absent(_explicit(kernel.arguments or (), given), given).values())


def example(argument: KernelArgument) -> str:
    """A value for an argument as a text."""
    return "random:f32:1024" if argument.kind in _POINTERS else "1"


def _explicit(arguments: Iterable[KernelArgument], given: Mapping[str, Any]) -> list[KernelArgument]:
    explicit = [each for each in arguments if not each.is_hidden]
    if all(each.name.isdecimal() for each in explicit) and not any(name.isdecimal() for name in given):
        # The compiler kept no names: those of the launch count, in order.
        names = (*given, *(each.name for each in explicit[len(given) :]))
        return [msgspec.structs.replace(each, name=name) for each, name in zip(explicit, names, strict=False)]
    return explicit


def _absent(explicit: Iterable[KernelArgument], given: Mapping[str, Any]) -> dict[int, KernelArgument]:
    """The arguments that are not given, by their numbers."""
    return {number: each for number, each in enumerate(explicit) if each.name not in given and str(number) not in given}


def placed(kernel: Kernel, given: Mapping[str, Any]) -> tuple[Placed, ...]:
    """The arguments of a launch at the places that the kernel reads. Raises WrongLaunch."""
    if kernel.arguments is None:
        return tuple(_in_order(given))
    explicit = _explicit(kernel.arguments, given)
    absent = _absent(explicit, given)
    meant = {each.name for each in absent.values()}
    for name in given:
        is_known = name.isdecimal() or name in {each.name for each in explicit}
        if not is_known and difflib.get_close_matches(name, meant, 1):
            raise WrongLaunch(_unknown(kernel.name, name, [each.name for each in explicit]))
    if absent:
        raise MissingArgument(kernel.name, absent)
    rest = dict(given)
    found = []
    for number, argument in enumerate(explicit):
        key = argument.name if argument.name in rest else str(number)
        found.append(Placed(argument.name, argument.offset, argument.size, _checked(argument, rest.pop(key))))
    if rest:
        raise WrongLaunch(_unknown(kernel.name, next(iter(rest)), [each.name for each in explicit]))
    return tuple(found)


def _unknown(kernel: str, name: str, known: "list[str]") -> str:
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]}?" if near else "."
    return f"kernel {kernel} has no argument {name}{hint} Its arguments: {', '.join(known) or 'none'}."


def _described(argument: KernelArgument, number: int) -> str:
    name = argument.name if argument.name != str(number) else f"{number}"
    kind = "a buffer" if argument.kind in _POINTERS else f"a value of {argument.size} bytes"
    typed = f", {argument.type_name}" if argument.type_name else ""
    return f"{name} ({kind}{typed})"


_POINTERS = ("global_buffer", "image", "sampler", "pipe", "queue")


def _checked(argument: KernelArgument, value: Any) -> Any:
    """A value as the argument takes it: arrays stay, numbers become bytes of its size."""
    is_pointer = argument.kind in _POINTERS
    if argument.kind == "dynamic_shared_pointer":
        if not isinstance(value, Number) or not isinstance(value.value, int):
            raise WrongLaunch(f"argument {argument.name} takes a number of bytes of LDS.")
        return value
    if isinstance(value, np.ndarray | Empty):
        if not is_pointer and argument.size != 8:
            raise WrongLaunch(f"argument {argument.name} takes a value of {argument.size} bytes, not an array.")
        return value
    if isinstance(value, Null):
        return (0).to_bytes(argument.size, "little")
    if is_pointer and type(value) in (bool, int, float, Number):  # bytes and numbers of a type may be addresses
        raise WrongLaunch(f"argument {argument.name} takes an array or null, not a number.")
    if type(value) in (bool, int, float):  # those of numpy have a type
        value = Number(value)
    if isinstance(value, Number):
        return _sized(argument, value.value)
    data = bytes(value) if isinstance(value, bytes | bytearray) else np.asarray(value).tobytes()
    if len(data) != argument.size:
        raise WrongLaunch(f"argument {argument.name} takes {argument.size} bytes; the value has {len(data)}.")
    return data


_FLOATS = {2: np.float16, 4: np.float32, 8: np.float64}
_FLOAT_NAMES = ("float", "double", "half", "_Float16")


def _sized(argument: KernelArgument, value: "int | float") -> bytes:
    """A number without a type in the bytes of an argument: a float if it is one, or the argument's type says so."""
    size = argument.size
    if isinstance(value, float) or argument.type_name in _FLOAT_NAMES:
        if size not in _FLOATS:
            raise WrongLaunch(f"argument {argument.name} has {size} bytes, which is not the size of a float.")
        return np.asarray(value, _FLOATS[size]).tobytes()
    bits = 8 * size
    if not -(1 << bits - 1) <= value < 1 << bits:
        raise WrongLaunch(f"argument {argument.name} has {size} bytes, too few for {value}.")
    return (value & (1 << bits) - 1).to_bytes(size, "little")


def _in_order(given: Mapping[str, Any]) -> "list[Placed]":
    """Arguments without metadata: in the order given, each at the next multiple of its size."""
    found: list[Placed] = []
    offset = 0
    for name, value in given.items():
        plain = Number(value) if type(value) in (bool, int, float) else value
        if isinstance(plain, np.ndarray | Empty | Null):
            size, data = 8, (bytes(8) if isinstance(plain, Null) else plain)
        elif isinstance(plain, Number):
            size = 4
            data = _sized(KernelArgument(name, 0, size, "by_value"), plain.value)
        else:
            data = bytes(plain) if isinstance(plain, bytes | bytearray) else np.asarray(plain).tobytes()
            size = len(data)
        step = min(8, 1 << max(0, size - 1).bit_length())
        offset = -(-offset // step) * step
        found.append(Placed(name, offset, size, data))
        offset += size
    return found
