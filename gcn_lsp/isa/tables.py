"""Read the generated tables under `data/`: each file once and when first asked for, each row when first used.

Rows stay text until a form, a kind or a class is asked for: a kernel uses a few hundred of a target's thousands.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from gcn_lsp.isa import features
from gcn_lsp.isa.schema import Field, Piece, Processor, RegisterClass, RegisterRange

DATA = Path(__file__).parent / "data"


class Alias(msgspec.Struct, frozen=True):
    """A mnemonic that LLVM replaces by another before it looks for forms. variant: '' for all."""

    old: str
    new: str
    variant: str
    condition: str


class Layout(msgspec.Struct, frozen=True):
    """The bits of an encoding: size in bytes, which bits are constant, which are unspecified, and the fields."""

    size: int
    fixed_mask: int
    free_mask: int
    fields: tuple[Field, ...]


def lines(name: str) -> list[str]:
    """The rows of a file, without the header."""
    return (DATA / name).read_text(encoding="utf-8").split("\n")[1:-1]


def _by_id(name: str) -> Mapping[str, str]:
    """Rows by their first cell."""
    rows = {}
    for line in lines(name):
        id_, _, rest = line.partition("\t")
        rows[id_] = rest
    return rows


@cache
def processors() -> Mapping[str, Processor]:
    """Every processor by name, sorted."""
    found = {}
    for line in lines("processors.tsv"):
        name, aliases, listed = line.split("\t")
        found[name] = Processor(name, tuple(aliases.split()), tuple(listed.split()))
    return found


@cache
def implied_features() -> Mapping[str, tuple[str, ...]]:
    """For each feature those that it implies directly."""
    return {(cells := line.split("\t"))[0]: tuple(" ".join(cells[2:]).split()) for line in lines("features.tsv")}


@cache
def feature_names() -> Mapping[str, str]:
    """The names that -mattr takes, to LLVM's record names."""
    rows = (line.split("\t") for line in lines("features.tsv"))
    return {cells[1]: cells[0] for cells in rows if len(cells) > 1}


@cache
def form_sections(generation: str) -> tuple[tuple[features.Clauses, str], ...]:
    """Condition and lines of every section that may concern a generation (`gfx9`)."""
    found = []
    for path in sorted((DATA / "forms").glob("*.tsv")):
        if generation in path.stem.split("-"):
            sections = path.read_text(encoding="utf-8").split("\n@ ")[1:]
            for section in sections:
                condition, _, body = section.partition("\n")
                found.append((features.read(condition), body.rstrip("\n")))
    return tuple(found)


@cache
def aliases() -> tuple[Alias, ...]:
    """Mnemonic aliases in LLVM's order."""
    return tuple(Alias(*[*line.split("\t"), "", ""][:4]) for line in lines("aliases.tsv"))


@cache
def mnemonic_targets() -> Mapping[str, tuple[str, ...]]:
    """For every mnemonic and alias the targets that have it."""
    sets: dict[str, tuple[str, ...]] = {}
    found = {}
    for line in lines("mnemonics.tsv"):
        key, _, value = line.partition("\t")
        if key[0] == "#":
            sets[key[1:]] = tuple(value.split())
        else:
            found[key] = sets[value]
    return found


@cache
def meanings() -> Mapping[str, tuple[tuple[str, frozenset[str]], ...]]:
    """For every mnemonic with a choice what it stands for: the instruction, and the targets on which it does."""
    sets: dict[str, frozenset[str]] = {}
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for line in lines("meanings.tsv"):
        if line[0] == "#":
            id_, _, names = line[1:].partition("\t")
            sets[id_] = frozenset(names.split())
        else:
            instruction, mnemonic, id_ = line.split("\t")
            found.setdefault(mnemonic, []).append((instruction, sets[id_]))
    return {mnemonic: tuple(rows) for mnemonic, rows in found.items()}


@cache
def spellings() -> Mapping[str, tuple[tuple[str, frozenset[str]], ...]]:
    """For every instruction with several names those names, each with the targets that use it."""
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for mnemonic, rows in meanings().items():
        for instruction, targets in rows:
            found.setdefault(instruction, []).append((mnemonic, targets))
    return {instruction: tuple(rows) for instruction, rows in found.items()}


@cache
def _layout_rows() -> Mapping[str, str]:
    return _by_id("layouts.tsv")


@cache
def layout(id_: str) -> Layout:
    """The layout with an id."""
    size, mask, written = (_layout_rows()[id_] + "\t").split("\t")[:3]
    pieces: dict[str, list[Piece]] = {}
    taken = fixed_mask = int(mask, 16)
    for part in written.split():
        name, source, bit, width = re.split(r"[.@+]", part)
        pieces.setdefault(name, []).append(Piece(int(source), int(bit), int(width)))
        taken |= ((1 << int(width)) - 1) << int(bit)
    free = ((1 << int(size) * 8) - 1) & ~taken
    return Layout(int(size), fixed_mask, free, tuple(Field(name, tuple(parts)) for name, parts in pieces.items()))


@cache
def _operand_list_rows() -> Mapping[str, str]:
    return _by_id("operand_lists.tsv")


@cache
def operand_list(id_: str) -> tuple[tuple[str, str, bool], ...]:
    """Name, kind and whether it is an output, of each operand of a list."""
    found = []
    for part in _operand_list_rows()[id_].split():
        name, _, kind = part.partition(":")
        found.append((name.lstrip("="), kind, name[0] == "="))
    return tuple(found)


@cache
def _shape_rows() -> Mapping[str, str]:
    return _by_id("shapes.tsv")


@cache
def shape(id_: str) -> tuple[str, ...]:
    """Variant, syntax, operand list id, layout id, constraints, converter and presets of a shape."""
    return tuple((_shape_rows()[id_] + "\t" * 6).split("\t")[:7])


@cache
def _trait_rows() -> Mapping[str, str]:
    return _by_id("traits.tsv")


@cache
def traits(id_: str) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Flags, implicit uses, implicit definitions and schedule classes."""
    flags, uses, defs, schedule = (_trait_rows()[id_] + "\t" * 3).split("\t")[:4]
    return frozenset(flags.split()), tuple(uses.split()), tuple(defs.split()), tuple(schedule.split())


@cache
def _image_rows() -> Mapping[str, str]:
    return _by_id("images.tsv")


@cache
def image_base(name: str) -> tuple[frozenset[str], int]:
    """Flags and number of extra arguments of an image base opcode."""
    flags, extra = _image_rows()[name].split("\t")
    return frozenset(flags.split()), int(extra)


class KindRow(msgspec.Struct, frozen=True):
    """An operand kind as stored; `registers` is the name of a class, which may depend on the hardware mode."""

    name: str
    registers: str = ""
    type: str = ""
    match: str = ""
    predicate: str = ""
    parser: str = ""
    renderer: str = ""
    optional: bool = False
    default: int = 0
    prefix: str = ""
    immediate: str = ""
    bits: int = 0
    signed: bool = False
    encoder: str = ""


@cache
def kind_rows() -> Mapping[str, KindRow]:
    """Every operand kind by name."""
    rows = msgspec.json.decode("[" + ",".join(lines("operand_kinds.jsonl")) + "]", type=list[KindRow])
    return {row.name: row for row in rows}


class _ClassRow(msgspec.Struct, frozen=True):
    name: str
    bits: int
    ranges: list[tuple[str, int, int, int, int, str]]
    specials: list[str]


@cache
def register_classes() -> Mapping[str, RegisterClass]:
    """Every register class by name."""
    rows = msgspec.json.decode("[" + ",".join(lines("register_classes.jsonl")) + "]", type=list[_ClassRow])
    return {
        row.name: RegisterClass(
            row.name, row.bits, tuple(RegisterRange(*part) for part in row.ranges), frozenset(row.specials)
        )
        for row in rows
    }


class _ModeRow(msgspec.Struct, frozen=True):
    name: str
    choices: dict[str, str]


@cache
def classes_by_mode() -> Mapping[str, Mapping[str, str]]:
    """For classes that depend on the hardware mode: mode to class."""
    rows = msgspec.json.decode("[" + ",".join(lines("register_classes_by_mode.jsonl")) + "]", type=list[_ModeRow])
    return {row.name: row.choices for row in rows}


@cache
def modes() -> tuple[tuple[str, features.Clauses], ...]:
    """Hardware modes with their conditions; the default one has none."""
    found = []
    for line in lines("register_modes.tsv"):
        name, _, condition = line.partition("\t")
        found.append((name, features.read(condition)))
    return tuple(found)
