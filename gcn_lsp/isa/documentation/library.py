"""Look up what is documented: each function answers from the data files, which are read when first needed.

A first look-up reads the file of its family (some milliseconds), later ones are dictionary look-ups.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from gcn_lsp.isa.documentation import source
from gcn_lsp.isa.documentation.model import BitField, Entry, MessageEntry, ModifierEntry, RegisterEntry, Value

_DATA = Path(__file__).with_name("data")

_FILES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ds_", ("ds",)),
    ("buffer_", ("mubuf",)),
    ("tbuffer_", ("mtbuf",)),
    ("flat_", ("flat",)),
    ("global_", ("flat",)),
    ("scratch_", ("flat",)),
    ("image_", ("mimg",)),
    ("exp", ("exp",)),
    ("s_", ("sop2", "sop1", "sopp", "sopc", "sopk", "smem")),
    ("v_cmp", ("vopc",)),
    ("v_mfma_", ("mfma",)),
    ("v_accvgpr_", ("mfma", "vop1")),
    ("v_interp_", ("vintrp",)),
    ("v_", ("vop2", "vop1", "vop3", "vop3p")),
)
"""Which files may document a mnemonic: those of the first prefix that it has."""

_ENCODINGS = ("_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa")
"""Suffixes that choose an encoding; the operation is the same with all of them."""

Documented = Mapping[str, tuple[source.Block, source.Binding]]
"""What a file documents: the names, and where the text of each comes from."""


def entry(mnemonic: str) -> Entry | None:
    """What is known of `mnemonic`, written with or without an encoding suffix."""
    for suffix in _ENCODINGS:
        if mnemonic.endswith(suffix):
            return _entry(mnemonic.removesuffix(suffix))
    return _entry(mnemonic)


def mnemonics() -> Iterator[str]:
    """Every mnemonic that has an entry, without encoding suffixes."""
    files = dict.fromkeys(file for _, files in _FILES for file in files)
    for file in files:
        yield from _documented(file)


@lru_cache
def modifier(name: str) -> ModifierEntry | None:
    """What is known of a modifier, flag, or function-like operand: `offset`, `glc`, `row_shl`, `vmcnt`, `hwreg`, ..."""
    fields = _fields("modifiers", name)
    if fields is None:
        return None
    return ModifierEntry(
        name=name,
        syntax=fields.one("syntax") or name,
        summary=fields.one("summary"),
        values=fields.values(),
        notes=fields.all("note"),
    )


@lru_cache
def special_register(name: str) -> RegisterEntry | None:
    """What is known of a register that is not a numbered SGPR or VGPR: `vcc_lo`, `m0`, `ttmp4`, `src_scc`, ..."""
    return _register("registers", name)


@lru_cache
def hwreg(name: str) -> RegisterEntry | None:
    """What is known of a hardware register by its symbol, with or without `HW_REG_`."""
    return _register("hwregs", name.removeprefix("HW_REG_"))


@lru_cache
def message(name: str) -> MessageEntry | None:
    """What is known of a message of `s_sendmsg` by its symbol, with or without `MSG_`, or of an operation of one."""
    fields = _fields("messages", name.removeprefix("MSG_"))
    if fields is None:
        return None
    return MessageEntry(
        name=name,
        number=int(fields.one("number")),
        summary=fields.one("summary"),
        values=fields.values(),
        notes=fields.all("note"),
    )


def names(kind: str) -> tuple[str, ...]:
    """Every name documented as one of the kinds "modifiers", "registers", "hwregs", "messages"."""
    return tuple(_documented(kind))


class _Fields:
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
def _entry(mnemonic: str) -> Entry | None:
    files = next((files for prefix, files in _FILES if mnemonic.startswith(prefix)), ())
    for file in files:
        found = _documented(file).get(mnemonic)
        if found is not None:
            return _build(mnemonic, file, *found)
    return None


def _build(mnemonic: str, file: str, block: source.Block, binding: source.Binding) -> Entry:
    fields = _Fields(_source(file).fields(block, binding))
    return Entry(
        mnemonic=mnemonic,
        family=block.family,
        summary=fields.one("summary"),
        operation="\n".join(fields.all("op")),
        reads=fields.listed("reads"),
        writes=fields.listed("writes"),
        counters=fields.listed("counter"),
        notes=fields.all("note"),
    )


def _register(kind: str, name: str) -> RegisterEntry | None:
    fields = _fields(kind, name)
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


def _fields(kind: str, name: str) -> _Fields | None:
    found = _documented(kind).get(name)
    return None if found is None else _Fields(_source(kind).fields(*found))


@cache
def _source(file: str) -> source.Source:
    base = None if file == "shared" else _source("shared")
    return source.parse((_DATA / f"{file}.txt").read_text(encoding="utf-8"), f"{file}.txt", base)


@cache
def _documented(file: str) -> Documented:
    names: dict[str, tuple[source.Block, source.Binding]] = {}
    for name, block, binding in _source(file).names():
        if name in names:
            raise source.SourceError(f"{block.where}: {name} is documented already at {names[name][0].where}")
        names[name] = (block, binding)
    return names
