"""Register classes: members as ranges of numbered files and special names; classes by hardware mode."""

import re
from typing import Any

from gcn_lsp.isa.generation.dump import Dump, DumpError, reference, references
from gcn_lsp.records import NamedTuple

FILES = {"VGPR": "v", "SGPR": "s", "AGPR": "a", "TTMP": "ttmp"}


class Member(NamedTuple):
    """A register or a tuple: in a numbered file, or special (then `file` is its spelling and `dwords` 0)."""

    file: str
    first: int
    dwords: int
    half: str


class Sets:
    """Evaluates TableGen's set expressions over registers."""

    def __init__(self, dump: Dump) -> None:
        self.dump = dump
        self.known: dict[str, list[Member]] = {}

    def members(self, name: str) -> list[Member]:
        """The registers of a record: itself, those of a class, or the tuples it makes."""
        if name not in self.known:
            self.known[name] = self._expand(name)
        return self.known[name]

    def _expand(self, name: str) -> list[Member]:
        record = self.dump[name]
        if "MemberList" in record:
            return self._dag(record["MemberList"])
        if "SubRegIndices" in record and "RegAsmNames" in record:
            parts = [self._dag(part) for part in record["SubRegs"]]
            return [Member(tuple_[0].file, tuple_[0].first, len(parts), "") for tuple_ in zip(*parts, strict=False)]
        return [_single(name, record)]

    def _dag(self, dag: dict[str, Any]) -> list[Member]:
        operator = reference(dag["operator"])
        args = [argument[0] for argument in dag["args"]]
        if operator == "add":
            return list(dict.fromkeys(member for arg in args for member in self._value(arg)))
        if operator == "sequence":
            pattern, first, last = args[:3]
            return [self.members(pattern.replace("%u", str(n)))[0] for n in range(first, last + 1)]
        if operator == "trunc":
            return self._value(args[0])[: args[1]]
        if operator == "shl":
            return self._value(args[0])[args[1] :]
        if operator == "decimate":
            return self._value(args[0])[:: args[1]]
        if operator == "interleave":
            return [member for pair in zip(*(self._value(arg) for arg in args), strict=True) for member in pair]
        raise DumpError(f"register set with operator {operator}")

    def _value(self, value: Any) -> list[Member]:
        return self._dag(value) if value["kind"] == "dag" else self.members(reference(value))


def _single(name: str, record: dict[str, Any]) -> Member:
    match = re.fullmatch(r"(VGPR|SGPR|AGPR|TTMP)(\d+)(?:_(LO|HI)16)?", name)
    if match:
        return Member(FILES[match[1]], int(match[2]), 1, (match[3] or "").lower())
    half = re.fullmatch(r".*_(LO|HI)16", name)
    return Member(name if half else record["AsmName"], 0, 0, half[1].lower() if half else "")


def class_rows(dump: Dump) -> list[dict[str, Any]]:
    """Every register class with its members as ranges `[file, first, last, dwords, step, half]` and special names."""
    sets = Sets(dump)
    rows = []
    for name in sorted(dump.named("RegisterClass")):
        members = sets.members(name)
        numbered = [member for member in members if member.dwords]
        named = {member.file for member in members if not member.dwords and not member.half}
        rows.append(
            {
                "name": name,
                "bits": _bits(dump, name),
                "ranges": _ranges(numbered),
                "specials": sorted(named - {""}),
            }
        )
    return rows


def _bits(dump: Dump, name: str) -> int:
    record = dump[name]
    if record["Size"]:
        return int(record["Size"])
    sizes = {int(dump[kind]["Size"]) for kind in references(record["RegTypes"])}
    return max(sizes)


def _ranges(members: list[Member]) -> list[list[Any]]:
    groups: dict[tuple[str, int, str], list[int]] = {}
    for member in members:
        groups.setdefault((member.file, member.dwords, member.half), []).append(member.first)
    ranges: list[list[Any]] = []
    for (file, dwords, half), unsorted in groups.items():
        starts = sorted(unsorted)
        step = starts[1] - starts[0] if len(starts) > 1 else 1
        if starts != list(range(starts[0], starts[-1] + 1, step)):
            raise DumpError(f"registers {file} of {dwords} dwords are no range: {starts}")
        ranges.append([file, starts[0], starts[-1], dwords, step, half])
    return ranges


def mode_rows(dump: Dump) -> list[dict[str, Any]]:
    """Classes that depend on the hardware mode: `{name, choices: {mode: class}}`."""
    rows = []
    for name in sorted(dump.named("RegClassByHwMode")):
        record = dump[name]
        modes, objects = references(record["Modes"]), references(record["Objects"])
        rows.append({"name": name, "choices": {_mode_name(m): c for m, c in sorted(zip(modes, objects, strict=True))}})
    return rows


def mode_names(dump: Dump) -> list[tuple[str, list[str]]]:
    """Hardware modes with the predicates that they need."""
    return [(_mode_name(name), references(dump[name]["Predicates"])) for name in sorted(dump.named("HwMode"))]


def _mode_name(name: str) -> str:
    return "Wave32UnalignedMode" if name.startswith("anonymous") else name
