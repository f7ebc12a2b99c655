"""Reads the generated tables under `data/`, a folder for each version of LLVM: each file once, on first use.

`columns` describes the cells. Rows remain text until a form, a kind or a class is needed: a kernel uses a few hundred
of a target's thousands.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

import msgspec

from gcn_lsp.isa import conditions, versions
from gcn_lsp.isa.schema import BitPiece, Field, Processor, RegisterClass, RegisterRange
from gcn_lsp.isa.tables import columns
from gcn_lsp.patterns import regex

DATA = Path(__file__).parent.parent / "data"

# `58..50=?0x80`, `17=?`, `31..26=0x3d`, `12..6=sdst`, `5..0=sbase[6..1]`: highest and lowest bit, what unspecified bits
# are written as, constant, name and lowest bit of it.
_BITS = regex(
    r"(?<!\S)(\d+)(?:\.\.(\d+))?=(?:\?(0x[0-9a-f]+)?|(0x[0-9a-f]+)|([A-Za-z]\w*)(?:\[(?:\d+\.\.)?(\d+)\])?)(?!\S)"
)
_SIZES = regex(r"_V\d")  # of the registers of an image instruction


class Alias(msgspec.Struct, frozen=True):
    """A mnemonic that LLVM replaces by another before it searches for forms. variant: '' for all."""

    old: str
    new: str
    variant: str
    condition: str


class BitLayout(msgspec.Struct, frozen=True):
    """The bits of an encoding.

    size: bytes. fixed: the constant bits but for the opcode. fixed_mask: which bits are constant, those of the opcode
    too. free_mask: which are unspecified. filler: what these are written as. fields: where operands go. opcode: where
    the numbers of the opcode go.
    """

    size: int
    fixed: int
    fixed_mask: int
    free_mask: int
    filler: int
    fields: tuple[Field, ...]
    opcode: tuple[Field, ...]

    @property
    def opcode_bit(self) -> int | None:
        """The lowest bit of an opcode that is one number in one place; None for others."""
        return self.opcode[0].pieces[0].bit if len(self.opcode) == 1 == len(self.opcode[0].pieces) else None

    def with_opcode(self, numbers: str) -> int:
        """All constant bits of a form, from its cell of the opcode."""
        if self.opcode_bit is not None:
            return self.fixed | int(numbers) << self.opcode_bit
        fixed = self.fixed
        for number, field in zip(map(int, numbers.split()), self.opcode, strict=True):
            for piece in field.pieces:
                fixed |= (number >> piece.source & (1 << piece.width) - 1) << piece.bit
        return fixed


class TableError(Exception):
    """A table that is not as `columns` describes it; the message has its file and line."""


class KindRow(msgspec.Struct, frozen=True):
    """An operand kind as stored; `registers` is the name of a class, which may depend on the hardware mode."""

    name: str
    registers: str = ""
    type: str = ""
    match: str = ""
    parser: str = ""
    optional: bool = False
    default: int = 0
    prefix: str = ""
    bits: int = 0
    signed: bool = False
    encoder: str = ""


class _ClassRow(msgspec.Struct, frozen=True):
    name: str
    bits: int
    ranges: list[tuple[str, int, int, int, int, str]]
    specials: list[str]


class _ModeRow(msgspec.Struct, frozen=True):
    name: str
    choices: dict[str, str]


Line = tuple[conditions.Clauses, str]
"""A line of the forms, and the condition of its section."""


class FormSection:
    """The forms that exist where one condition holds, as text; targets share what is read of it."""

    def __init__(self, condition: conditions.Clauses, body: str) -> None:
        self.condition = condition
        self.body = body

    @cached_property
    def by_mnemonic(self) -> Mapping[str, tuple[Line, ...]]:
        """The lines of each mnemonic."""
        found: dict[str, tuple[Line, ...]] = {}
        condition = self.condition
        for line in self.body.split("\n"):
            mnemonic = line[: line.index("\t")]
            known = found.get(mnemonic)
            found[mnemonic] = ((condition, line),) if known is None else (*known, (condition, line))
        return found


class _RowsByName(Mapping[str, str]):
    """The rows of a text, sorted by their first cell: found by halves, so that loading makes no object for each."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, name: str) -> str:
        text, low, high = self._text, 0, len(self._text)
        while low < high:
            start = text.rfind("\n", low, (low + high) // 2) + 1 or low
            end = text.index("\t", start)
            found = text[start:end]
            if found == name:
                return text[start : text.index("\n", end)]
            if found < name:
                low = text.index("\n", end) + 1
            else:
                high = start
        raise KeyError(name)

    def starting(self, name: str) -> Iterator[list[str]]:
        """The cells of all rows with that first cell."""
        text = self._text
        at = 0 if text.startswith(f"{name}\t") else text.find(f"\n{name}\t") + 1
        while text.startswith(f"{name}\t", at):
            end = text.index("\n", at)
            yield text[at:end].split("\t")
            at = end + 1

    def holding(self, cell: str) -> Iterator[list[str]]:
        """The cells of the rows in which one between the first and the last is `cell`."""
        text, sought = self._text, f"\t{cell}\t"
        at = text.find(sought)
        while at >= 0:
            end = text.index("\n", at)
            yield text[text.rfind("\n", 0, at) + 1 : end].split("\t")
            at = text.find(sought, end)

    def __iter__(self) -> Iterator[str]:
        return (line[: line.index("\t")] for line in self._text.split("\n")[:-1])

    def __len__(self) -> int:
        return self._text.count("\n")


class Tables:
    """The tables of one version of LLVM."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sections: dict[str, tuple[FormSection, ...]] = {}  # by file
        self._layouts: dict[str, BitLayout] = {}
        self._traits: dict[str, tuple[frozenset[str], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}
        self._target_sets: dict[str, tuple[str, ...]] = {}

    def load(self) -> None:
        """Read the files that every target needs, ahead of the first use."""
        for name in _FOR_EVERY_TARGET:
            getattr(self, name)

    def lines(self, name: str) -> list[str]:
        """The rows of a file, without the header and the names of the columns."""
        head = columns.head(name)
        rows = (self._folder / name).read_text(encoding="utf-8").split("\n")
        if head:
            self._check_head(name, rows[1], head)
        return rows[2 if head else 1 : -1]

    def _check_head(self, name: str, found: str, head: str) -> None:
        if found != head:
            raise TableError(f"{self._folder / name}:2: the columns are {found.split()}, not {head.split()}")

    def _by_name(self, file: str) -> _RowsByName:
        """Rows by their first cell, which they keep."""
        head = columns.head(file)
        _, found, body = (self._folder / file).read_text(encoding="utf-8").split("\n", 2)
        self._check_head(file, found, head)
        return _RowsByName(body)

    @cached_property
    def processors(self) -> Mapping[str, Processor]:
        """Every processor by name, sorted."""
        found = {}
        for line in self.lines("processors.tsv"):
            name, aliases, listed = line.split("\t")
            found[name] = Processor(name, tuple(aliases.split()), tuple(listed.split()))
        return found

    @cached_property
    def implied_features(self) -> Mapping[str, tuple[str, ...]]:
        """For each feature the features that it implies directly."""
        return {(cells := line.split("\t"))[0]: tuple(" ".join(cells[2:]).split()) for line in self.lines(_FEATURES)}

    @cached_property
    def feature_names(self) -> Mapping[str, str]:
        """The names that -mattr accepts, to LLVM's record names."""
        rows = (line.split("\t") for line in self.lines(_FEATURES))
        return {cells[1]: cells[0] for cells in rows if len(cells) > 1}

    def form_sections(self, generation: str) -> tuple[FormSection, ...]:
        """The sections that may concern a generation (`gfx9`)."""
        files = (name for name, generations in self._form_files if generation in generations)
        return tuple(chain.from_iterable(map(self._sections_of, files)))

    def _sections_of(self, file: str) -> tuple[FormSection, ...]:
        known = self._sections.get(file)
        if known is None:
            known = self._sections[file] = tuple(self._read_sections(file))
        return known

    @cached_property
    def _form_files(self) -> Sequence[tuple[str, Collection[str]]]:
        """The files of forms, and the generations that each concerns."""
        names = sorted(name for name in os.listdir(self._folder / "forms") if name.endswith(".tsv"))
        return [(name, name.removesuffix(".tsv").split("-")) for name in names]

    def _read_sections(self, file: str) -> Iterator[FormSection]:
        head, *sections = (self._folder / "forms" / file).read_text(encoding="utf-8").split("\n@ ")
        name = f"forms/{file}"
        self._check_head(name, head.partition("\n")[2], columns.head(name))
        for section in sections:
            condition, _, body = section.partition("\n")
            yield FormSection(conditions.read(condition), body.rstrip("\n"))

    @cached_property
    def aliases(self) -> tuple[Alias, ...]:
        """Mnemonic aliases in LLVM's order."""
        return tuple(Alias(*[*line.split("\t"), "", ""][:4]) for line in self.lines("aliases.tsv"))

    @cached_property
    def _by_word(self) -> dict[str, frozenset[str]]:
        return conditions.by_word(self.processors)

    def _target_set(self, text: str) -> tuple[str, ...]:
        """The targets of a cell. There are few sets, each in many rows."""
        known = self._target_sets.get(text)
        if known is None:
            known = self._target_sets[text] = conditions.targets(text, self._by_word)
        return known

    @cached_property
    def mnemonic_targets(self) -> Mapping[str, tuple[str, ...]]:
        """For every mnemonic and alias its targets, sorted by name."""
        rows = (line.partition("\t") for line in self.lines("mnemonics.tsv"))
        return {mnemonic: self._target_set(targets) for mnemonic, _, targets in rows}

    @cached_property
    def _mnemonic_rows(self) -> Mapping[str, str]:
        return self._by_name("mnemonics.tsv")

    def targets_with(self, mnemonic: str) -> tuple[str, ...]:
        """The targets of a mnemonic or alias, sorted by name; without making all of `mnemonic_targets`."""
        row = self._mnemonic_rows.get(mnemonic)
        return self._target_set(row.partition("\t")[2]) if row is not None else ()

    @cached_property
    def _meaning_rows(self) -> _RowsByName:
        return self._by_name("meanings.tsv")

    def meanings(self, mnemonic: str) -> list[tuple[str, frozenset[str]]]:
        """The meanings of an ambiguous mnemonic: the instruction, and the targets on which it means that."""
        rows = self._meaning_rows.holding(mnemonic)
        return [(instruction, frozenset(self._target_set(targets))) for instruction, _, targets in rows]

    def spellings(self, instruction: str) -> list[tuple[str, frozenset[str]]]:
        """The names of an instruction with several, each with the targets that use it."""
        rows = self._meaning_rows.starting(instruction)
        return [(mnemonic, frozenset(self._target_set(targets))) for _, mnemonic, targets in rows]

    @cached_property
    def builtin_rows(self) -> _RowsByName:
        """The rows of clang's builtins, see `isa.builtins`."""
        return self._by_name("builtins.tsv")

    @cached_property
    def layout_rows(self) -> Mapping[str, str]:
        """The rows of the layouts by name."""
        return self._by_name("layouts.tsv")

    def layout(self, name: str) -> BitLayout:
        """The layout of that name."""
        known = self._layouts.get(name)
        if known is None:
            try:
                known = self._layouts[name] = read_layout(self.layout_rows[name].partition("\t")[2])
            except ValueError as error:
                line = next(n for n, row in enumerate(self.lines("layouts.tsv"), 3) if row.startswith(f"{name}\t"))
                raise TableError(f"{self._folder / 'layouts.tsv'}:{line}: {name}: {error}") from None
        return known

    @cached_property
    def shape_rows(self) -> Mapping[str, str]:
        """The rows of the shapes by name."""
        return self._by_name("shapes.tsv")

    def shape(self, name: str) -> tuple[str, ...]:
        """Family, variant, syntax, operands, layout, constraints, converter, presets and image of a shape."""
        return tuple((self.shape_rows[name] + "\t" * 8).split("\t")[1:10])

    @cached_property
    def trait_rows(self) -> Mapping[str, str]:
        """The rows of the traits by name."""
        return self._by_name("traits.tsv")

    def traits(self, name: str) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Flags, implicit uses, implicit definitions and schedule classes."""
        known = self._traits.get(name)
        if known is None:
            flags, uses, defs, schedule = (self.trait_rows[name] + "\t" * 3).split("\t")[1:5]
            known = frozenset(flags.split()), tuple(uses.split()), tuple(defs.split()), tuple(schedule.split())
            self._traits[name] = known
        return known

    @cached_property
    def image_rows(self) -> Mapping[str, str]:
        """The rows of the image base opcodes by name."""
        return self._by_name("images.tsv")

    def image_base(self, name: str) -> tuple[frozenset[str], int]:
        """Flags and number of extra arguments of an image base opcode."""
        _, flags, extra = self.image_rows[name].split("\t")
        return frozenset(flags.split()), int(extra)

    @cached_property
    def kind_rows(self) -> Mapping[str, KindRow]:
        """Every operand kind by name."""
        rows = msgspec.json.decode("[" + ",".join(self.lines("operand_kinds.jsonl")) + "]", type=list[KindRow])
        return {row.name: row for row in rows}

    @cached_property
    def register_classes(self) -> Mapping[str, RegisterClass]:
        """Every register class by name."""
        rows = msgspec.json.decode("[" + ",".join(self.lines("register_classes.jsonl")) + "]", type=list[_ClassRow])
        return {
            row.name: RegisterClass(
                row.name, row.bits, tuple(RegisterRange(*part) for part in row.ranges), frozenset(row.specials)
            )
            for row in rows
        }

    @cached_property
    def classes_by_mode(self) -> Mapping[str, Mapping[str, str]]:
        """For classes that depend on the hardware mode: mode to class."""
        lines = self.lines("register_classes_by_mode.jsonl")
        rows = msgspec.json.decode("[" + ",".join(lines) + "]", type=list[_ModeRow])
        return {row.name: row.choices for row in rows}

    @cached_property
    def modes(self) -> tuple[tuple[str, conditions.Clauses], ...]:
        """Hardware modes with their conditions; the default one has none."""
        found = []
        for line in self.lines("register_modes.tsv"):
            name, _, condition = line.partition("\t")
            found.append((name, conditions.read(condition)))
        return tuple(found)


_FEATURES = "features.tsv"
_FOR_EVERY_TARGET = (
    *("processors", "implied_features", "feature_names", "aliases", "modes"),
    *("layout_rows", "shape_rows", "trait_rows", "kind_rows", "register_classes", "classes_by_mode"),
)


@cache
def of(llvm: int) -> Tables:
    """The tables of a version of LLVM, by its major number."""
    return Tables(DATA / str(llvm))


def newest() -> Tables:
    """The tables of the newest version, which has every target."""
    return of(versions.VERSIONS[-1])


def read_layout(written: str) -> BitLayout:
    """The layout from its cell; ValueError unless every bit is in one part and the highest ends a byte."""
    fixed = fixed_mask = free_mask = filler = next_bit = 0
    places: dict[str, list[BitPiece]] = {}
    parts = _BITS.findall(written)
    if len(parts) != written.count(" ") + 1:
        raise ValueError("not every part is bits and what they hold")
    for high, low, filling, constant, name, source in reversed(parts):
        bit = int(low or high)
        width = int(high) - bit + 1
        if bit != next_bit or width < 1:
            raise ValueError(f"bits {high}..{bit} do not follow those below, which end at bit {next_bit - 1}")
        next_bit += width
        mask = (1 << width) - 1 << bit
        if name:
            places.setdefault(name, []).append(BitPiece(int(source or 0), bit, width))
            if name.isupper():
                fixed_mask |= mask
        elif constant:
            fixed |= int(constant, 16) << bit
            fixed_mask |= mask
        else:
            filler |= int(filling or "0", 16) << bit
            free_mask |= mask
        if fixed & ~fixed_mask or filler & ~free_mask:
            raise ValueError(f"{constant or filling} has more than the {width} bits {high}..{bit}")
    if next_bit % 8 or not next_bit:
        raise ValueError(f"bit {next_bit - 1} ends no byte")
    return BitLayout(next_bit // 8, fixed, fixed_mask, free_mask, filler, *_operands_and_opcode(places))


def _operands_and_opcode(places: Mapping[str, list[BitPiece]]) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    fields = [Field(name, tuple(pieces)) for name, pieces in places.items()]
    opcode = sorted((field for field in fields if field.name.isupper()), key=_name)
    return tuple(field for field in fields if not field.name.isupper()), tuple(opcode)


def _name(field: Field) -> str:
    return field.name


@cache
def operand_list(written: str) -> tuple[tuple[str, str, bool], ...]:
    """Name, kind and whether it is an output, of each operand in a shape's cell."""
    found = []
    for part in written.split():
        name, _, kind = part.partition(":")
        found.append((name.lstrip("="), kind, name[0] == "="))
    return tuple(found)


def image_base_name(record: str) -> str:
    """The base opcode of most image records: `IMAGE_SAMPLE_B` of `IMAGE_SAMPLE_B_V4_V2_gfx10`."""
    return _SIZES.split(record, maxsplit=1)[0]


def pseudo_name(cell: str, record: str) -> str:
    """The pseudo instruction of a record from its cell."""
    if cell not in ("=", "=="):
        return cell
    name = record.partition("_gfx")[0] if "_gfx" in record else record.rpartition("_")[0]
    return name if cell == "==" else name.lower()
