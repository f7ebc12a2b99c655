"""Operand kinds: what an operand of an instruction accepts, under a readable name."""

import re
from typing import Any

from gcn_lsp.isa.generation.dump import Dump, DumpError, Record, reference

# Prefixes in the C++ of a parser method: parseIntWithPrefix("offset", ...), parseNamedBit("glc", ...).
_PREFIX = re.compile(r"(parse\w+)\((?:Operands, )?\"(\w+)\"")


class Kinds:
    """Names the operand records in use and describes each kind once."""

    def __init__(self, dump: Dump) -> None:
        self.dump = dump
        self.names: dict[str, str] = {}
        self.rows: dict[str, dict[str, Any]] = {}

    def name(self, record_name: str) -> str:
        """The readable name of an operand record; also describes the kind."""
        if record_name not in self.names:
            row = self._describe(record_name)
            name = row["name"]
            known = self.rows.setdefault(name, row)
            if known != row:
                raise DumpError(f"operand kind {name} has two meanings: {known} and {row} ({record_name})")
            self.names[record_name] = name
        return self.names[record_name]

    def _describe(self, record_name: str) -> dict[str, Any]:
        record = self.dump[record_name]
        if self.dump.is_a(record_name, "RegisterClassLike"):
            return _row(record_name, registers=record_name, type="OPERAND_REGISTER")
        matcher_name = reference(record.get("ParserMatchClass"))
        matcher: Record = self.dump[matcher_name] if matcher_name else {}
        parser = matcher.get("ParserMethod") or ""
        prefix = _PREFIX.search(parser)
        value_type = reference(record.get("Type"))
        superclasses = record["!superclasses"]
        return _row(
            _readable(record_name, record, matcher.get("Name", "")),
            registers=reference(record.get("RegClass")),
            type=record["OperandType"],
            match=matcher.get("Name", ""),
            parser=prefix[1] if prefix else parser,
            optional=bool(matcher.get("IsOptional")),
            default=_default(record),
            prefix=prefix[2] if prefix else "",
            bits=int(self.dump[value_type]["Size"]) if value_type and "Size" in self.dump[value_type] else 0,
            signed="S16ImmOperand" in superclasses,
            encoder=record["EncoderMethod"],
        )


def _row(name: str, **values: Any) -> dict[str, Any]:
    """A row without its empty values."""
    return {"name": name} | {key: value for key, value in values.items() if value not in ("", 0, False)}


def _readable(name: str, record: Record, match: str) -> str:
    if not record["!anonymous"]:
        return name
    base = reference(record.get("RegClass"))
    encoder = record["EncoderMethod"]
    suffix = f".{encoder}" if encoder else ""
    if base:
        role = "VDst" if "VOPDstOperand" in record["!superclasses"] else "Reg"
        return f"{role}.{base}{suffix}"
    return f"Mods.{match}{suffix}"


def _default(record: Record) -> int:
    ops = record.get("DefaultOps")
    if ops:
        value = ops["args"][0][0]
        if value.get("kind") == "dag":
            return int(value["args"][0][0])
    text = record.get("DefaultValue") or "0"
    return int(text, 0) if re.fullmatch(r"-?(0x)?[0-9a-fA-F]+", text) else 0
