"""Looks up the documentation: each function answers from the data files, which are read on first use.

A first look-up reads the file of its family (some milliseconds), later ones are dictionary look-ups.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from gcn_lsp.isa.conditions import covers
from gcn_lsp.isa.documentation import counters, source
from gcn_lsp.isa.documentation.model import (
    BitField,
    DirectiveEntry,
    Entry,
    FieldEntry,
    MessageEntry,
    ModifierEntry,
    RegisterEntry,
    Value,
)
from gcn_lsp.isa.machine import precision
from gcn_lsp.isa.tables import reader
from gcn_lsp.isa.target import Target, generation, load_target, targets_with

_DATA = Path(__file__).with_name("data")

_FILES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ds_direct", ("ldsdir",)),
    ("ds_param", ("ldsdir",)),
    ("ds_", ("ds",)),
    ("lds_", ("ldsdir",)),
    ("buffer_", ("mubuf",)),
    ("tbuffer_", ("mtbuf",)),
    ("flat_", ("flat",)),
    ("global_", ("flat", "async")),
    ("scratch_", ("flat",)),
    ("cluster_", ("async",)),
    ("tensor_", ("async",)),
    ("image_", ("mimg",)),
    ("exp", ("exp",)),
    ("s_", ("sop2", "sop1", "sopp", "sopc", "sopk", "smem")),
    ("v_cmp", ("vopc",)),
    ("v_dual_", ("vopd",)),
    ("v_mfma_", ("mfma",)),
    ("v_smfmac_", ("mfma",)),
    ("v_wmma_", ("wmma",)),
    ("v_swmmac_", ("wmma",)),
    ("v_accvgpr_", ("mfma", "vop1")),
    ("v_interp_", ("vintrp",)),
    ("v_s_", ("trans",)),
    ("v_cvt_scale", ("scaled",)),
    ("v_", ("vop2", "vop1", "vop3", "vop3p")),
)
"""The files that may document a mnemonic: those of its first prefix."""

_ENCODINGS = ("_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa")
"""Suffixes that choose an encoding; they do not change the operation."""

KINDS = ("modifiers", "words", "operands", "registers", "hwregs", "messages")
"""Kinds other than mnemonics whose documentation depends on the target."""

TEXT_KINDS = ("directives", "descriptor_fields", "metadata_keys", "value_kinds", "symbols")
"""Kinds of the assembler's language, the same for all targets."""

_USUAL = ("gfx900", "gfx1030", "gfx1100", "gfx1200", "gfx1250", "gfx942", "gfx90a", "gfx803", "gfx700", "gfx1010")
"""The targets for a request without one; the first that has the name counts."""

Documented = Mapping[str, tuple[tuple[source.WrittenEntry, source.Binding], ...]]
"""The contents of a file: its names, and the places of each name's text; several places are for different targets."""


def entry(mnemonic: str, target: Target | None = None) -> Entry | None:
    """The documentation of `mnemonic`, with or without an encoding suffix, on `target`.

    Without a target, or on one that lacks the mnemonic, the oldest target that has it counts. An alias has the entry of
    the mnemonic that it means.
    """
    found = _resolved(mnemonic, target)
    return _entry(*found) if found is not None else None


def summary(mnemonic: str, target: Target) -> str:
    """The summary of the `entry` of a mnemonic, empty without one; made without the rest, for long lists."""
    found = _resolved(mnemonic, target)
    place = _place(found[0], found[2]) if found is not None else None
    if found is None or place is None:
        return ""
    file, block, binding = place
    return next((text for _, text in _source(file).fields(block, binding, found[2], "summary")), "")


def _resolved(mnemonic: str, target: Target | None) -> tuple[str, str, str] | None:
    """The mnemonic that a name means, the name without its suffix, and the target that counts."""
    base = without_suffix(mnemonic)
    # A mnemonic that is only the second half of pairs is in no target's list.
    having = targets_with(base) or (targets_with("v_dual_mov_b32") if base.startswith("v_dual_") else ())
    if not having:
        return None
    if target is not None and target.name not in having and not target.native(base):
        target = None
    name = target.name if target is not None else oldest(having)
    native = base
    # On the oldest target a name with text is not an alias: that target's tables need not be loaded.
    if base in _aliases() and (target is not None or not conditions(base)):
        native = (target or load_target(name)).native(base) or base
    return native, base, name


def without_suffix(mnemonic: str) -> str:
    """The mnemonic without the suffix that chooses an encoding."""
    for suffix in _ENCODINGS:
        if mnemonic.endswith(suffix):
            return mnemonic.removesuffix(suffix)
    return mnemonic


def oldest(targets: Sequence[str]) -> str:
    """The first of some targets by generation and number; a generic one only if there is no other."""
    return min(targets, key=lambda name: ("generic" in name, int(generation(name)[3:]), name))


def mnemonics() -> Iterator[str]:
    """Every mnemonic with an entry, without encoding suffixes; the tables have the aliases."""
    seen = set()
    for file in dict.fromkeys(file for _, files in _FILES for file in files):
        for name in _documented(file):
            if name not in seen:
                seen.add(name)
                yield name


def conditions(mnemonic: str) -> tuple[str, ...]:
    """The conditions on the target (see `conditions.py`) for which the mnemonic has separate text."""
    found = (place[0].condition for file in _files(mnemonic) for place in _documented(file).get(mnemonic, ()))
    return tuple(found)


def modifier(name: str, target: Target | None = None) -> ModifierEntry | None:
    """The documentation of a modifier, flag, or function-like operand: `offset`, `glc`, `row_shl`, `vmcnt`, ..."""
    return _spelling("modifiers", name, _name(target))


def word(name: str, target: Target | None = None) -> ModifierEntry | None:
    """The documentation of a word of a modifier or an operand: `BUF_FMT_8_UNORM`, `BYTE_0`, `SCOPE_DEV`, ..."""
    return _spelling("words", name, _name(target))


def operand(name: str, target: Target | None = None) -> ModifierEntry | None:
    """The documentation of a kind of operand or an inline constant: `vgpr`, `literal`, `OPERAND_REG_IMM_FP32`, `0.5`,
    ...

    The kind is the type that LLVM gives an operand with registers, or its name if there are none.
    """
    return _spelling("operands", name, _name(target))


def special_register(name: str, target: Target | None = None) -> RegisterEntry | None:
    """The documentation of a register other than a numbered SGPR or VGPR: `vcc_lo`, `m0`, `ttmp4`, `src_scc`, ..."""
    return _register("registers", name, _name(target))


def hwreg(name: str, target: Target | None = None) -> RegisterEntry | None:
    """The documentation of a hardware register by its symbol, with or without `HW_REG_`."""
    return _register("hwregs", name.removeprefix("HW_REG_"), _name(target))


def message(name: str, target: Target | None = None) -> MessageEntry | None:
    """The documentation of a message of `s_sendmsg`, with or without `MSG_`, or of an operation of one."""
    return _message(name, _name(target))


@cache
def directive(name: str) -> DirectiveEntry | None:
    """The documentation of a directive, in lower case; a synonym has the entry of the directive that it means."""
    fields = _fields_of("directives", name, "")
    if fields is None:
        return None
    ((block, _),) = _documented("directives")[name]
    return DirectiveEntry(block.patterns[0], fields.one("syntax"), fields.one("summary"), fields.one("values"))


@cache
def descriptor_field(name: str) -> FieldEntry | None:
    """The documentation of a field of an `.amdhsa_kernel` block: `.amdhsa_next_free_vgpr`, ..."""
    fields = _fields_of("descriptor_fields", name, "")
    if fields is None:
        return None
    return FieldEntry(name, fields.one("summary"), fields.one("default"))


CONCEPTS = "concepts"
"""The kind of ideas that have no entry of an instruction or a register: `occupancy`, `memory-model`, ..."""


def concept(name: str, target: Target | None = None) -> ModifierEntry | None:
    """The documentation of an idea, in lower case with hyphens, for a target."""
    return _spelling(CONCEPTS, name, _name(target))


def metadata_key(name: str) -> str | None:
    """The meaning of a key of the YAML metadata to the runtime: `.kernarg_segment_size`, ..."""
    return _summary("metadata_keys", name)


def value_kind(name: str) -> str | None:
    """The meaning of a `.value_kind` in the YAML metadata: `hidden_group_size_x`, ..."""
    return _summary("value_kinds", name)


def symbol(name: str) -> str | None:
    """The meaning of a symbol that the assembler defines, in lower case: `.amdgcn.next_free_vgpr`, ..."""
    return _summary("symbols", name)


def _summary(kind: str, name: str) -> str | None:
    fields = _fields_of(kind, name, "")
    return None if fields is None else fields.one("summary")


def names(kind: str) -> tuple[str, ...]:
    """Every documented name of one of `KINDS` or `TEXT_KINDS`."""
    return tuple(_documented(kind))


def has_text(kind: str, name: str, target: str) -> bool:
    """Whether a name of one of `KINDS` has text for this target."""
    return any(covers(block.condition, target) for block, _ in _documented(kind).get(name, ()))


class _EntryFields:
    """The fields of one name by keyword."""

    def __init__(self, fields: Iterator[source.Field]) -> None:
        self._texts: dict[str, list[str]] = {}
        for keyword, text in fields:
            self._texts.setdefault(keyword, []).append(text)

    def all(self, keyword: str) -> tuple[str, ...]:
        return tuple(self._texts.get(keyword, ()))

    def one(self, keyword: str) -> str:
        texts = self._texts.get(keyword)
        return texts[0] if texts else ""

    def listed(self, keyword: str) -> tuple[str, ...]:
        """The comma-separated words of all fields of this keyword, each once."""
        return tuple(dict.fromkeys(word.strip() for text in self.all(keyword) for word in text.split(",")))

    def values(self) -> tuple[Value, ...]:
        """`value SPELLING: MEANING`."""
        pairs = (text.split(": ", 1) for text in self.all("value"))
        return tuple(Value(spelling, meaning) for spelling, meaning in pairs)

    def bits(self) -> tuple[BitField, ...]:
        """`field HIGH:LOW NAME MEANING`, or one number for a single bit."""
        return tuple(_bit_field(text) for text in self.all("field"))


def _bit_field(text: str) -> BitField:
    bits, name, meaning = text.split(" ", 2)
    high, _, low = bits.partition(":")
    return BitField(name, int(high), int(low or high), meaning)


@lru_cache(maxsize=4096)
def _entry(mnemonic: str, asked: str, target: str) -> Entry | None:
    place = _place(mnemonic, target)
    return _build(mnemonic, asked, *place, target) if place is not None else None


def _place(mnemonic: str, target: str) -> tuple[str, source.WrittenEntry, source.Binding] | None:
    """The file, the block and the parameters that document a mnemonic on a target."""
    for file in _files(mnemonic):
        for block, binding in _documented(file).get(mnemonic, ()):
            if covers(block.condition, target):
                return file, block, binding
    return None


@cache
def _aliases() -> frozenset[str]:
    return frozenset(alias.old for alias in reader.newest().aliases)


def _files(mnemonic: str) -> tuple[str, ...]:
    return next((files for prefix, files in _FILES if mnemonic.startswith(prefix)), ())


def _build(
    mnemonic: str, asked: str, file: str, block: source.WrittenEntry, binding: source.Binding, target: str
) -> Entry:
    fields = _EntryFields(_source(file).fields(block, binding, target))
    alias = (f"{asked} is another name for {mnemonic}.",) if asked != mnemonic else ()
    return Entry(
        mnemonic=mnemonic,
        family=block.family,
        summary=fields.one("summary"),
        operation="\n".join(fields.all("op")),
        reads=fields.listed("reads"),
        writes=fields.listed("writes"),
        counters=counters.names(fields.listed("counter"), target),
        notes=(*alias, *fields.all("legacy"), *fields.all("note"), *precision.sentences(mnemonic, target)),
        hazards=fields.all("hazard"),
        sources=fields.all("source"),
        is_legacy=bool(fields.all("legacy")),
    )


@lru_cache(maxsize=4096)
def _spelling(kind: str, name: str, target: str) -> ModifierEntry | None:
    fields = _fields_of(kind, name, target)
    if fields is None:
        return None
    return ModifierEntry(
        name=name,
        syntax=fields.one("syntax") or name,
        summary=fields.one("summary"),
        values=fields.values(),
        notes=fields.all("note"),
    )


@lru_cache(maxsize=4096)
def _register(kind: str, name: str, target: str) -> RegisterEntry | None:
    fields = _fields_of(kind, name, target)
    if fields is None:
        return None
    return RegisterEntry(
        name=name,
        bits=int(fields.one("bits")),
        access=fields.one("access"),
        summary=fields.one("summary"),
        fields=fields.bits(),
        notes=fields.all("note"),
    )


@lru_cache
def _message(name: str, target: str) -> MessageEntry | None:
    fields = _fields_of("messages", name.removeprefix("MSG_"), target)
    if fields is None:
        return None
    return MessageEntry(
        name=name,
        number=int(fields.one("number")),
        summary=fields.one("summary"),
        values=fields.values(),
        notes=fields.all("note"),
    )


def _name(target: Target | None) -> str:
    return target.name if target is not None else ""


def _fields_of(kind: str, name: str, target: str) -> _EntryFields | None:
    """The fields of a name on `target`, or on the first of `_USUAL` that has it if this one does not."""
    places = _documented(kind).get(name, ())
    for usual in (target, *_USUAL) if target else _USUAL:
        for block, binding in places:
            if covers(block.condition, usual):
                return _EntryFields(_source(kind).fields(block, binding, usual))
    return None


@cache
def _source(file: str) -> source.Source:
    base = None if file == "shared" else _source("shared")
    return source.parse((_DATA / f"{file}.txt").read_text(encoding="utf-8"), f"{file}.txt", base)


@cache
def _documented(file: str) -> Documented:
    names: dict[str, tuple[tuple[source.WrittenEntry, source.Binding], ...]] = {}
    for name, block, binding in _source(file).names():
        known = names.get(name, ())
        if any(other.condition == block.condition for other, _ in known):
            raise source.SourceError(f"{block.where}: {name} is documented already at {known[0][0].where}")
        names[name] = (*known, (block, binding))
    return names
