"""Tests of kernels in `*.kernel.toml` files: reads them into cases.

file = "saxpy.s"                # beside this file; other keys at the top count for every test
target = "gfx900"
kernel = "saxpy"                # if the file has several
defines = { UNROLL = 4 }

[[test]]
name = "whole groups"
grid = 1024                     # work-items, or [x, y, z]
block = 256
orders = true                   # in every order in which the hardware may complete accesses
tolerance = 1e-6                # relative to the larger value, and absolute; 0 if not given: equal bits
arguments = { n = 1024, a = 2.0, x = "random:f32:1024", y = "ones:f32:1024" }
expect = { y = "y.npy" }        # values as for arguments
reference = "reference.py:saxpy"  # or a function: takes the arguments by name, returns the expected arrays
fails = "missing-wait"          # or the rule of a finding that is expected
"""

import os
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from gcn_lsp.machine.arguments import WrongLaunch, parse
from gcn_lsp.machine.launch import Launch

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

ENDING = ".kernel.toml"

_AT_TOP = ("file", "target", "mattr", "kernel", "defines", "include", "test")
_OF_TEST = (
    *("name", "grid", "block", "arguments", "expect", "reference", "tolerance", "orders", "seed", "limit", "fails"),
    *("registers", "lds", "kernel", "defines"),
)


class Case(msgspec.Struct, frozen=True):
    """A test. path: of the file that describes it. source: of the kernel. expected: the buffers afterwards, by name.

    reference: a Python file and a function in it. fails: the rule of an expected finding; empty if none may be.
    """

    name: str
    path: str
    source: str
    target: "str | None"
    mattr: str
    kernel: str
    defines: Mapping[str, int]
    include: tuple[str, ...]
    launch: Launch
    expected: Mapping[str, Any]
    reference: str
    tolerance: float
    orders: bool
    seed: int
    limit: "int | None"
    fails: str


def files(paths: "tuple[str, ...]") -> list[str]:
    """The files of tests among paths: those named, and all in and below folders."""
    found: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders.sort()
                found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(ENDING)]
        else:
            found.append(path)
    return found


def read(path: str) -> list[Case]:
    """The tests in a file. Raises WrongLaunch."""
    try:
        with open(path, "rb") as file:
            table: dict[str, Any] = tomllib.load(file)
    except OSError as error:
        raise WrongLaunch(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongLaunch(f"{path} is not TOML: {error}.") from error
    _check_keys(path, table, _AT_TOP, "the file")
    tests = table.get("test")
    if not isinstance(tests, list) or not tests:
        raise WrongLaunch(f"{path} has no [[test]].")
    return [_case(path, table, each, number) for number, each in enumerate(tests, 1)]


def _case(path: str, table: Mapping[str, Any], test: Any, number: int) -> Case:
    name = str(test.get("name", number)) if isinstance(test, dict) else str(number)
    where = f"{path}: test {name}"
    if not isinstance(test, dict):
        raise WrongLaunch(f"{where}: [[test]] is a table.")
    _check_keys(path, test, _OF_TEST, f"test {name}")
    folder = os.path.dirname(path)
    seed = _number(where, test, "seed", 0)
    arguments = _values(where, test, "arguments", folder, seed)
    if "grid" not in test:
        raise WrongLaunch(f"{where}: it needs `grid`, in work-items.")
    block = test.get("block", 64)
    registers = _table(where, test, "registers")
    return Case(
        name,
        path,
        os.path.join(folder, _text(path, table, "file") or _beside(path)),
        _text(path, table, "target") or None,
        _text(path, table, "mattr"),
        _text(where, test, "kernel") or _text(path, table, "kernel"),
        {**_table(path, table, "defines"), **_table(where, test, "defines")},
        tuple(os.path.join(folder, str(each)) for each in table.get("include", ())),
        Launch(
            _sizes(where, "grid", test["grid"]),
            _sizes(where, "block", block),
            arguments,
            {key: str(value) for key, value in registers.items()},
            _number(where, test, "lds", 0),
        ),
        _values(where, test, "expect", folder, seed),
        _text(where, test, "reference"),
        float(test.get("tolerance", 0)) if isinstance(test.get("tolerance", 0), int | float) else 0.0,
        bool(test.get("orders", False)),
        seed,
        _number(where, test, "limit", 0) or None,
        _text(where, test, "fails"),
    )


def _beside(path: str) -> str:
    """The source that a file of tests without `file` is about: `saxpy.s` for `saxpy.kernel.toml`."""
    return os.path.basename(path).removesuffix(ENDING) + ".s"


def _check_keys(path: str, table: Mapping[str, Any], known: "tuple[str, ...]", what: str) -> None:
    for key in table:
        if key not in known:
            raise WrongLaunch(f"{path}: {what} has an unknown key `{key}`; the keys: {', '.join(known)}.")


def _text(where: str, table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise WrongLaunch(f"{where}: `{key}` is text.")
    return value


def _number(where: str, table: Mapping[str, Any], key: str, otherwise: int) -> int:
    value = table.get(key, otherwise)
    if type(value) is not int or value < 0:
        raise WrongLaunch(f"{where}: `{key}` is a number that is not negative.")
    return value


def _table(where: str, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise WrongLaunch(f"{where}: `{key}` is a table.")
    return value


def _values(where: str, table: Mapping[str, Any], key: str, folder: str, seed: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, (name, value) in enumerate(_table(where, table, key).items()):
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise WrongLaunch(f"{where}: `{key}.{name}` is a number, or text such as zeros:f32:1024 or a file.")
        try:
            found[name] = parse(str(value), folder, seed + number)
        except WrongLaunch as error:
            raise WrongLaunch(f"{where}: {error}") from error
    return found


def _sizes(where: str, key: str, value: Any) -> tuple[int, int, int]:
    parts = value if isinstance(value, list) else [value]
    if not 1 <= len(parts) <= 3 or not all(type(part) is int and part > 0 for part in parts):
        raise WrongLaunch(f"{where}: `{key}` is one to three numbers above 0.")
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z
