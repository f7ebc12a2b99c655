"""A target: one processor with its features, and the assembly that it accepts."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache

from gcn_lsp.isa import conditions, versions
from gcn_lsp.isa.facts import Facts
from gcn_lsp.isa.machine import registers
from gcn_lsp.isa.operands import sp3_words
from gcn_lsp.isa.processors import age, words
from gcn_lsp.isa.processors import generation as generation
from gcn_lsp.isa.schema import Form, Image, Operand, OperandKind, Register, RegisterClass, Slot, SlotRole
from gcn_lsp.isa.tables import features as feature_sets
from gcn_lsp.isa.tables import reader, target_id
from gcn_lsp.isa.tables.reader import Line as Line
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple

# Common names of chips and families that LLVM does not accept as -mcpu.
NICKNAMES: Mapping[str, str] = {
    "vega10": "gfx900",
    "raven": "gfx902",
    "vega12": "gfx904",
    "vega20": "gfx906",
    "arcturus": "gfx908",
    "mi100": "gfx908",
    "raven2": "gfx909",
    "aldebaran": "gfx90a",
    "mi200": "gfx90a",
    "mi210": "gfx90a",
    "mi250": "gfx90a",
    "mi250x": "gfx90a",
    "renoir": "gfx90c",
    "mi50": "gfx906",
    "mi60": "gfx906",
    "mi300": "gfx942",
    "mi300a": "gfx942",
    "mi300x": "gfx942",
    "mi325x": "gfx942",
    "mi350": "gfx950",
    "mi355x": "gfx950",
    "navi10": "gfx1010",
    "navi12": "gfx1011",
    "navi14": "gfx1012",
    "navi21": "gfx1030",
    "navi22": "gfx1031",
    "navi23": "gfx1032",
    "navi24": "gfx1034",
    "navi31": "gfx1100",
    "navi32": "gfx1101",
    "navi33": "gfx1102",
    "navi44": "gfx1200",
    "navi48": "gfx1201",
    "rdna4m": "gfx1170",
    "rdna5": "gfx1310",
}

# Early steppings that LLVM has dropped, and the target with their instructions.
FORMER_NAMES: Mapping[str, str] = {"gfx940": "gfx942", "gfx941": "gfx942"}

# Modifiers are keywords or `name:value`; these parsers read a positional operand that is not a register.
_POSITIONAL_PARSERS = (
    "parseExpTgt parseInterpSlot parseInterpAttr parseSendMsg parseHwreg parseSWaitCnt parseDepCtr parseSDelayALU "
    "parseEndpgm parseGPRIdxMode parseSOPPBrTarget parseBoolReg parseVReg32OrOff parseRegOrImm "
    "parseRegOrImmWithFPInputMods parseRegOrImmWithIntInputMods parseRegWithFPInputMods parseRegWithIntInputMods"
)
_POSITIONAL = frozenset(_POSITIONAL_PARSERS.split())

_SOURCE_MODIFIERS = "OPERAND_INPUT_MODS"

# A part of a syntax: an operand, the mark of a second instruction, a bracket, or any other word.
_OPERAND = regex(r"\$(\w+?)(?:_modifiers)?\b")
_SLOT = regex(r"\$\w+|::|[\[\]]|[^\s,$\[\]]+")


class Target(Facts):
    """One processor with its features. Forms are decoded on first use and then kept."""

    def __init__(
        self, name: str, features: frozenset[str], mattr: str = "", only: "Collection[str] | None" = None
    ) -> None:
        """features: LLVM's, and the words of its name (`processors.words`); only: its mnemonics, if not all."""
        self.name = name
        self.features = features
        self.mattr = mattr  # as requested: "off" and "not given" differ for XNACK and SRAMECC
        self.llvm = version_of(name, mattr)
        self.tables = reader.of(self.llvm)
        self._kinds: dict[str, OperandKind] = {}
        self._shapes: dict[str, _Shape] = {}
        self._forms: dict[str, tuple[Form, ...]] = {}
        self._lines = self._form_lines() if only is None else self._lines_of(only)

    def has(self, condition: str) -> bool:
        """Whether a condition holds: a feature by LLVM's name (`FeatureXNACK`), `gfx10+`, or more of them."""
        return conditions.holds(condition, self.features)

    @cached_property
    def generation_number(self) -> int:
        """6 for gfx6, 13 for gfx13."""
        return int(generation(self.name)[3:])

    @property
    def generation(self) -> str:
        """`GFX6` to `GFX13`."""
        return f"GFX{self.generation_number}"

    @property
    def wavefront_size(self) -> int:
        """Lanes of a wave: 32 or 64."""
        return 32 if feature_sets.WAVE32 in self.features else 64

    @cached_property
    def registers(self) -> Mapping[str, Register]:
        """The special registers, under every spelling."""
        return registers.special_registers(self.features)

    @cached_property
    def file_sizes(self) -> Mapping[str, int]:
        """The sizes of the files `v`, `s`, `a` and `ttmp`."""
        return registers.file_sizes(self.features)

    @cached_property
    def ttmp_base(self) -> int:
        """Hardware number of ttmp0."""
        return registers.ttmp_base(self.features)

    @cached_property
    def mnemonics(self) -> tuple[str, ...]:
        """All mnemonics, including aliases, sorted."""
        reachable = {old for old, news in self._aliases.items() if any(new in self._lines for new in news.values())}
        return tuple(sorted(self._lines.keys() | reachable))

    def has_forms(self, mnemonic: str) -> bool:
        """Whether this very name has forms, so that it is not an alias."""
        return mnemonic in self._lines

    def native(self, mnemonic: str) -> str:
        """The mnemonic whose forms the assembler uses: itself or its alias's target; '' if there is none."""
        aliases = self._aliases.get(mnemonic, {})
        if mnemonic in self._lines and "" not in aliases:
            return mnemonic
        return next((new for new in aliases.values() if new in self._lines), "")

    def forms(self, mnemonic: str) -> tuple[Form, ...]:
        """The forms of a mnemonic (without encoding suffix) in LLVM's order; () if the target has none."""
        found = self._forms.get(mnemonic)
        if found is None:
            found = self._find(mnemonic)
            if found:  # other names have none, and are not kept
                self._forms[mnemonic] = found
        return found

    def encodings(self) -> "Iterator[tuple[reader.BitLayout, int, Line]]":
        """Layout, constant bits and line of every form; `row` reads a line."""
        known: dict[str, tuple[reader.BitLayout, int, int | None]] = {}
        for lines in self._lines.values():
            for line in lines:
                cells = line[1].split("\t", 6)
                found = known.get(cells[3])
                if found is None:
                    layout = self.tables.layout(self.tables.shape(cells[3])[4])
                    found = known[cells[3]] = layout, layout.fixed, layout.opcode_bit
                layout, fixed, bit = found
                if len(cells) > 5:  # most opcodes are one number, and there are thousands
                    fixed = layout.with_opcode(cells[5]) if bit is None else fixed | int(cells[5]) << bit
                yield layout, fixed, line

    def row(self, line: Line) -> "Row":
        """A row of the forms, not decoded further than its constant bits."""
        condition, text = line
        cells = text.split("\t")
        family, _, syntax, _, name, *_ = self.tables.shape(cells[3])
        layout = self.tables.layout(name)
        fixed = layout.with_opcode(cells[5]) if len(cells) > 5 else layout.fixed
        return Row(condition, cells, family, syntax, layout.size, fixed, layout.fixed_mask)

    def form_of(self, row: "Row") -> Form:
        """The form of a row."""
        return self._form(row.condition, row.cells)

    def first_syntax(self, mnemonic: str) -> str:
        """The required text after a mnemonic in its first form, in LLVM's notation; nothing is decoded for it.

        A load to LDS is a separate form and does not count as the first.
        """
        for name in (mnemonic, *self._aliases.get(mnemonic, {}).values()):
            rows = sorted((line.split("\t", 4) for _, line in self._lines.get(name, ())), key=_form_order)
            shapes = [self.tables.shape(cells[3]) for cells in rows]
            if shapes:
                shape = next((each for each in shapes if not each[2].endswith(" lds")), shapes[0])
                return _without_optional(shape[2], shape[3], self.tables.kind_rows)
        return ""

    def register_class(self, name: str) -> RegisterClass | None:
        """The register class of that name, as the hardware mode chooses it."""
        choices = self.tables.classes_by_mode.get(name)
        return self.tables.register_classes.get(choices.get(self._mode, choices["DefaultMode"]) if choices else name)

    def kind(self, name: str) -> OperandKind:
        """An operand kind with the registers it has here."""
        known = self._kinds.get(name)
        if known is None:
            row = self.tables.kind_rows[name]
            values = {field: getattr(row, field) for field in row.__struct_fields__}
            values["registers"] = self.register_class(row.registers) if row.registers else None
            known = self._kinds[name] = OperandKind(**values)
        return known

    @cached_property
    def _mode(self) -> str:
        """The hardware mode: the one whose condition holds."""
        for name, needs in self.tables.modes:
            if needs and conditions.met(needs, self.features):
                return name
        return "DefaultMode"

    def _form_lines(self) -> dict[str, tuple[Line, ...]]:
        found: dict[str, tuple[Line, ...]] = {}
        for section in self._sections():
            more = section.by_mnemonic
            both = {mnemonic: found[mnemonic] + more[mnemonic] for mnemonic in found.keys() & more.keys()}
            found.update(more)
            found.update(both)
        return found

    def _lines_of(self, mnemonics: Collection[str]) -> dict[str, tuple[Line, ...]]:
        found: dict[str, tuple[Line, ...]] = {}
        for section in self._sections():
            for mnemonic in mnemonics:
                for line in _lines_with(section.body, mnemonic):
                    found[mnemonic] = (*found.get(mnemonic, ()), (section.condition, line))
        return found

    def _sections(self) -> Iterator[reader.FormSection]:
        for section in self.tables.form_sections(generation(self.name)):
            if conditions.met(section.condition, self.features):
                yield section

    @cached_property
    def _aliases(self) -> Mapping[str, Mapping[str, str]]:
        """Alias to variant ('' for all) to mnemonic; the first that holds wins, as in LLVM."""
        found: dict[str, dict[str, str]] = {}
        holding: dict[str, bool] = {}  # there are far fewer conditions than aliases
        for alias in self.tables.aliases:
            holds = holding.get(alias.condition)
            if holds is None:
                holds = conditions.holds(alias.condition, self.features)
                holding[alias.condition] = holds
            if holds:
                found.setdefault(alias.old, {}).setdefault(alias.variant, alias.new)
        return found

    def _find(self, mnemonic: str) -> tuple[Form, ...]:
        aliases = self._aliases.get(mnemonic)
        if not aliases:
            return self._decoded(mnemonic)
        plain = aliases.get("Default", aliases.get("", mnemonic))
        if plain != mnemonic and plain not in self._aliases:  # tried before the operands are read: it counts for all
            return self._decoded(plain)
        forms: list[Form] = []
        for target in dict.fromkeys((*aliases.values(), mnemonic)):
            for form in self._decoded(target):
                if aliases.get(form.variant, aliases.get("", mnemonic)) == target:
                    forms.append(form)
        return tuple(forms)

    def _decoded(self, mnemonic: str) -> tuple[Form, ...]:
        rows = [(condition, line.split("\t")) for condition, line in self._lines.get(mnemonic, ())]
        rows.sort(key=lambda row: int(row[1][1].rstrip("*")))
        return tuple(self._form(condition, cells) for condition, cells in rows)

    def _form(self, condition: conditions.Clauses, cells: list[str]) -> Form:
        mnemonic, order, record, shape_name, traits, opcode, pseudo, base = [*cells, "", "", ""][:8]
        flags, uses, defs, schedule = self.tables.traits(traits)
        shape = self._shapes.get(shape_name) or self._shape(shape_name)
        layout = shape.layout
        return Form(
            name=record,
            mnemonic=mnemonic,
            variant=shape.variant,
            family=shape.family,
            size=layout.size,
            syntax=shape.syntax,
            slots=shape.slots,
            operands=shape.operands,
            fields=layout.fields,
            fixed=layout.with_opcode(opcode),
            fixed_mask=layout.fixed_mask,
            free_mask=layout.free_mask,
            filler=self._filler(mnemonic, layout.free_mask, layout.filler),
            ties=shape.ties,
            early_clobber=shape.early_clobber,
            presets=shape.presets,
            converter=shape.converter,
            pseudo=reader.pseudo_name(pseudo, record),
            is_alias=order[-1] == "*",
            flags=flags,
            uses=uses,
            defs=defs,
            schedule=schedule,
            predicate=condition,
            image=self._image(base or reader.image_base_name(record), shape.image) if shape.image else None,
        )

    def _filler(self, mnemonic: str, free: int, usual: int) -> int:
        """What unused bits are written as."""
        if versions.SP3_WORDS not in self.features:
            return usual
        return sp3_words.filler(mnemonic, free, usual, self.features)

    def _image(self, base: str, written: str) -> Image:
        encoding, vdata, vaddr, operands = written.split()
        flags, extra = self.tables.image_base(base)
        return Image(base, encoding, int(vdata), int(vaddr), int(operands), flags, extra)

    def _shape(self, name: str) -> "_Shape":
        family, variant, syntax, listed, layout, constraints, converter, presets, image = self.tables.shape(name)
        operands = tuple(Operand(n, self.kind(k), is_def) for n, k, is_def in reader.operand_list(listed))
        shape = self._shapes[name] = _Shape(
            family,
            variant,
            syntax,
            _slots(syntax, operands),
            operands,
            self.tables.layout(layout),
            tuple(re.findall(r"\$(\w+) = \$(\w+)", constraints)),
            "@earlyclobber" in constraints,
            tuple((key, int(value)) for key, _, value in (part.partition("=") for part in presets.split())),
            converter,
            image,
        )
        return shape


class Row(NamedTuple):
    """A row of the forms, not decoded further: family, syntax, size and constant bits are those of its `Form`."""

    condition: conditions.Clauses
    cells: list[str]
    family: str
    syntax: str
    size: int
    fixed: int
    fixed_mask: int

    @property
    def is_alias(self) -> bool:
        """Whether it is a further way to write its record."""
        return self.cells[1][-1] == "*"

    @property
    def record(self) -> str:
        """LLVM's record of the instruction."""
        return self.cells[2]

    @property
    def order(self) -> int:
        """Its place among the forms of the mnemonic, in which the assembler tries them."""
        return _form_order(self.cells)

    @property
    def written_vcc(self) -> str:
        """`vcc` or `vcc_lo` when its syntax spells that out, which the encoding implies; '' when it does not."""
        found = _VCC.search(self.syntax)
        return found[0] if found is not None else ""


_VCC = regex(r"(?<!\S)vcc(_lo)?\b")


class _Shape(NamedTuple):
    """The common part of many forms: a row of `shapes.tsv`, decoded once for a target."""

    family: str
    variant: str
    syntax: str
    slots: tuple[Slot, ...]
    operands: tuple[Operand, ...]
    layout: reader.BitLayout
    ties: tuple[tuple[str, str], ...]
    early_clobber: bool
    presets: tuple[tuple[str, int], ...]
    converter: str
    image: str


def _lines_with(body: str, mnemonic: str) -> Iterator[str]:
    """The lines of a section about a mnemonic, by one search: reading line by line takes ten times as long."""
    key = f"{mnemonic}\t"
    starts = [0] if body.startswith(key) else []
    at = body.find(f"\n{key}")
    while at != -1:
        starts.append(at + 1)
        at = body.find(f"\n{key}", at + 1)
    for start in starts:
        end = body.find("\n", start)
        yield body[start:end] if end >= 0 else body[start:]


def _form_order(cells: list[str]) -> int:
    return int(cells[1].rstrip("*"))


def _without_optional(syntax: str, operands: str, kinds: Mapping[str, reader.KindRow]) -> str:
    """A syntax without the optional operands; those with source modifiers have their own names."""
    optional = {name for name, kind, _ in reader.operand_list(operands) if kinds[kind].optional}
    return _OPERAND.sub(lambda match: "" if match[1] in optional else f"${match[1]}", syntax)


def _slots(syntax: str, operands: tuple[Operand, ...]) -> tuple[Slot, ...]:
    by_name = {operand.name: operand for operand in operands}
    slots = []
    for part in _SLOT.findall(syntax):
        if part[0] != "$":
            slots.append(Slot("token", "", True, text=part))
            continue
        name = part[1:]
        modifiers = None
        operand = by_name[name]
        if operand.kind.type == _SOURCE_MODIFIERS and name.removesuffix("_modifiers") in by_name:
            modifiers = operand.kind
            name = name.removesuffix("_modifiers")
            operand = by_name[name]
        role: SlotRole = "operand" if _is_positional(operand.kind) else "modifier"
        slots.append(Slot(role, name, not operand.kind.optional, "", operand.kind, modifiers, operand.is_def))
    return tuple(slots)


def _is_positional(kind: OperandKind) -> bool:
    return kind.registers is not None or not kind.parser or kind.parser in _POSITIONAL


def other_names(target: str) -> tuple[str, ...]:
    """LLVM's other names for a target, and those in common use: `aldebaran`, `mi200` for gfx90a."""
    nicknames = (nickname for nickname, meant in NICKNAMES.items() if meant == target)
    return (*reader.newest().processors[target].aliases, *nicknames)


def target_names() -> tuple[str, ...]:
    """Every processor, including generic ones."""
    return tuple(sorted(reader.newest().processors, key=age))


def resolve_target(name: str) -> str | None:
    """The processor that a name means: an alias, a former name, a target id with features, a triple or its end."""
    text = name.strip().lower()
    processor = text.split(":")[0].rpartition("--")[2]
    known = reader.newest().processors
    if processor in known:
        return processor
    for candidate in known.values():
        if processor in candidate.aliases:
            return candidate.name
    if processor in NICKNAMES:
        return NICKNAMES[processor]
    last = processor.rpartition("-")[2]
    if last in known:
        return last
    triple = target_id.named_by_triple(text)
    return triple if triple in known else FORMER_NAMES.get(last)


def former_name(name: str) -> str | None:
    """The name in a target's name, id or triple if LLVM has dropped it: `gfx940`."""
    processor = name.strip().lower().split(":")[0].rpartition("-")[2]
    return processor if processor in FORMER_NAMES else None


def version_of(processor: str, mattr: str = "") -> int:
    """The version of LLVM that decides for a processor: the chosen one, or the first later one that has it."""
    chosen = versions.chosen(mattr)
    later = (llvm for llvm in versions.VERSIONS if llvm >= chosen and processor in reader.of(llvm).processors)
    return next(later, versions.VERSIONS[-1])


@lru_cache(maxsize=256)
def load_target(name: str, mattr: str = "") -> Target:
    """The target of that name; `mattr` switches features: `+xnack,-sramecc`. ValueError for an unknown name."""
    processor = resolve_target(name)
    if processor is None:
        raise ValueError(f"unknown target {name}")
    return Target(processor, _features(processor, mattr) | words(processor), mattr)


def kind_of_target(name: str) -> tuple[object, ...]:
    """A value that is equal for processors that differ in nothing but their names: their forms are the same."""
    return version_of(name), generation(name), _features(name, "")


def target_with(mnemonics: Collection[str], name: str, mattr: str = "") -> Target:
    """The target of that name with only these mnemonics: fast to make, and not kept."""
    processor = resolve_target(name)
    if processor is None:
        raise ValueError(f"unknown target {name}")
    known = reader.of(version_of(processor, mattr)).aliases
    meant = {alias.new for alias in known if alias.old in mnemonics}
    return Target(processor, _features(processor, mattr) | words(processor), mattr, meant.union(mnemonics))


def _features(processor: str, mattr: str) -> frozenset[str]:
    llvm = version_of(processor, mattr)
    known = reader.of(llvm)
    implied = known.implied_features
    features = feature_sets.closure(known.processors[processor].features, implied)
    former: frozenset[str] = frozenset()
    for part in filter(None, (part.strip() for part in mattr.lower().split(","))):
        if versions.is_switch(part):
            former |= {versions.SP3_WORDS} if part == versions.SP3 else frozenset()
            continue
        name = part.lstrip("+-")
        feature = known.feature_names.get(name)
        if feature is None:
            if name not in versions.FORMER_SWITCHES:
                raise ValueError(f"unknown feature {name}")
            switched = frozenset((versions.FORMER_SWITCHES[name],))
            former = former - switched if part[0] == "-" else former | switched
        elif part[0] == "-":
            features = feature_sets.without(features, feature, implied)
        else:
            features = features | feature_sets.closure((feature,), implied)
    renamed = frozenset(versions.RENAMED[name] for name in features if name in versions.RENAMED)
    return feature_sets.with_wave_size(features | former | renamed | versions.features(llvm))


@lru_cache(maxsize=256)
def targets_meeting(condition: str) -> tuple[str, ...]:
    """The targets for which a condition holds, with the features that they have if nothing switches one."""
    return tuple(name for name, features in _known_features().items() if conditions.holds(condition, features))


@lru_cache(maxsize=1)
def _known_features() -> dict[str, frozenset[str]]:
    return {name: _features(name, "") | words(name) for name in target_names()}


def unknown_features(mattr: str) -> tuple[str, ...]:
    """The names in `mattr` (`+xnack,-sramecc`) that are not features of LLVM."""
    known = reader.of(versions.chosen(mattr)).feature_names
    names = (part.strip().lstrip("+-") for part in mattr.split(",") if not versions.is_switch(part))
    return tuple(name for name in names if name and name.lower() not in {**known, **versions.FORMER_SWITCHES})


def targets_with(mnemonic: str) -> tuple[str, ...]:
    """The targets that have a mnemonic, aliases followed."""
    return reader.newest().targets_with(mnemonic)
