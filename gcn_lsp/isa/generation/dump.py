"""Reads a dump made by `llvm-tblgen -dump-json` and queries its records."""

import json
import lzma
from pathlib import Path
from typing import Any

Record = dict[str, Any]


class DumpError(Exception):
    """The dump is not in the expected form; the message names the record."""


class Dump:
    """All records of one dump by name, and the names of each class's records."""

    def __init__(self, records: dict[str, Any]) -> None:
        self.records = records
        self.members: dict[str, list[str]] = records["!instanceof"]

    @classmethod
    def read(cls, path: Path) -> "Dump":
        """Read `.json` or `.json.xz`."""
        opener = lzma.open if path.suffix == ".xz" else open
        with opener(path, "rb") as stream:
            return cls(json.load(stream))

    def __getitem__(self, name: str) -> Record:
        record: Record = self.records[name]
        return record

    def named(self, cls: str) -> list[str]:
        """Names of the records of a class, in the dump's order (sorted by name)."""
        return self.members.get(cls, [])

    def instructions(self) -> list[str]:
        """Names of the real instructions that the assembler reads."""
        return [name for name in self.named("Instruction") if _is_readable(self[name])]

    def is_a(self, name: str, cls: str) -> bool:
        """Whether a class is among a record's superclasses."""
        return cls in self[name]["!superclasses"]


def reference(value: Any) -> str:
    """The name of the record in a value, '' for an unset one."""
    return value["def"] if isinstance(value, dict) and value.get("kind") == "def" else ""


def references(values: Any) -> list[str]:
    """The names of the records in a list."""
    return [reference(value) for value in values or ()]


def number(bits: list[int | None]) -> int:
    """The value of a list of bits, lowest first; unset bits count as 0."""
    return sum(1 << index for index, bit in enumerate(bits) if bit)


def _is_readable(record: Record) -> bool:
    return (
        not record["isPseudo"]
        and not record["isCodeGenOnly"]
        and bool(record["AsmString"])
        and record["AsmVariantName"] != "NonParsable"
    )
