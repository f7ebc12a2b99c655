"""Predicates as clauses of features, and the processors."""

import itertools
from typing import Any

from gcn_lsp.isa.generation.dump import Dump, DumpError, Record, reference, references

Clause = tuple[str, ...]
Clauses = tuple[Clause, ...]


def condition(dump: Dump, predicates: list[str]) -> Clauses:
    """The assembler's condition on the features: every clause needs one of its alternatives; `!` negates.

    Predicates without an `AssemblerCondDag` concern code generation only.
    """
    clauses: list[Clause] = []
    for name in predicates:
        dag = dump[name].get("AssemblerCondDag")
        if dag is not None:
            clauses += [clause for clause in _clauses(dag, name) if clause not in clauses]
    return tuple(clauses)


def _clauses(dag: dict[str, Any], where: str) -> list[Clause]:
    operator = reference(dag["operator"]) or dag["operator"].get("printable", "")
    parts = [_part(argument[0], where) for argument in dag["args"]]
    if operator == "all_of":
        return list(itertools.chain(*parts))
    if operator == "any_of":
        return [tuple(dict.fromkeys(itertools.chain(*chosen))) for chosen in itertools.product(*parts)]
    raise DumpError(f"{where}: AssemblerCondDag with operator {operator}")


def _part(value: dict[str, Any], where: str) -> list[Clause]:
    if value["kind"] == "def":
        return [(reference(value),)]
    if value["printable"].startswith("(not ") and value["args"][0][0]["kind"] == "def":
        return [("!" + reference(value["args"][0][0]),)]
    return _clauses(value, where)


def feature_rows(dump: Dump) -> list[tuple[str, str, str]]:
    """Record name, the name for -mattr, and the implied features, of every subtarget feature."""
    return [
        (name, dump[name]["Name"], " ".join(references(dump[name]["Implies"])))
        for name in sorted(dump.named("SubtargetFeature"))
    ]


def processor_rows(dump: Dump) -> list[tuple[str, str, str]]:
    """Name, other names and features of every processor.

    Each other name (`tahiti`) is a separate record in LLVM; it follows that of its gfx name.
    """
    features: dict[str, str] = {}
    aliases: dict[str, list[str]] = {}
    current = ""
    for record in sorted((dump[name] for name in dump.named("Processor")), key=_position):
        if record["Name"].startswith("gfx"):
            current = record["Name"]
            aliases[current] = []
            features[current] = " ".join(references(record["Features"]))
        elif current:
            aliases[current].append(record["Name"])
    return [(name, " ".join(aliases[name]), features[name]) for name in sorted(aliases)]


def _position(record: Record) -> int:
    """Records without a name are numbered in the order of LLVM's sources."""
    return int(record["!name"].removeprefix("anonymous_"))
