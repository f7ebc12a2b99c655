"""What `clamp`, `mul:2`, `mul:4` and `div:2` make of a result: the operation of an instruction with them, and notes.

Sources: AMD's ISA documents, the sections on output modifiers and the clamp bit, and the entries of instructions, which
`tests/manuals` compares. Without a row a modifier does what it does to the type of the result.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from gcn_lsp.isa import conditions
from gcn_lsp.records import NamedTuple

CLAMP, OMOD = "clamp", "omod"

IGNORED = "ignored"
SIGNALS = "signals"
OTHER_FORMAT = "other format"
AT_LEAST_0 = "at least 0"
UNCHANGED = "unchanged"


class ModifierRow(NamedTuple):
    """The effect of a modifier on some mnemonics, a pattern, on the targets that a condition of `scope` covers."""

    modifier: str
    mnemonics: str
    condition: str
    effect: str


_FORMATS_OF_8 = "[bf]p?8"
ROWS = (
    ModifierRow(CLAMP, r"v_cmpx?_\w+_[iu]\d+", "", IGNORED),
    ModifierRow(CLAMP, r"v_cmpx?_(?!class)\w+_f\d+", "", SIGNALS),
    ModifierRow(CLAMP, r"v_cvt_(?:f32_fp8|(?:pk|sr)_fp8_f32)", "gfx125|gfx13", OTHER_FORMAT),
    ModifierRow(
        CLAMP, rf"v_cvt_(?:sr_)?(?:pk_)?(?:{_FORMATS_OF_8}_f32|f32_{_FORMATS_OF_8})", "gfx94|gfx95|gfx12+", IGNORED
    ),
    ModifierRow(
        CLAMP, r"v_cvt_(?:sr_)?pk_\w+|v_cvt_pkrtz_\w+|v_cvt_(?:pk_?)?norm_\w+|v_cvt_nearest_\w+", "gfx125", IGNORED
    ),
    ModifierRow(CLAMP, r"v_(?:cos|exp|log|rcp|rsq|sin|sqrt|tanh)_bf16", "gfx125", IGNORED),
    ModifierRow(CLAMP, r"v_(?:max|min|med|mul|mad)[a-z0-9]*_(?:\w+_)?[iu](?:16|24|32|64)", "gfx125", IGNORED),
    ModifierRow(CLAMP, r"v_pk_(?:max|min)3_i16|v_(?:pk_)?add_(?:max|min)_i(?:16|32)", "gfx125|gfx13", AT_LEAST_0),
    ModifierRow(CLAMP, r"v_(?:pk_)?add_(?:max|min)_u(?:16|32)", "", IGNORED),
    ModifierRow(CLAMP, r"v_pk_(?:max|min)3_u16|v_cndmask_\w+|v_dot4_(?:i32_iu|u32_u)8", "gfx125", IGNORED),
    ModifierRow(CLAMP, r"v_dot4_(?:i32_iu|u32_u)8", "gfx120", IGNORED),
    ModifierRow(CLAMP, r"v_dot\dc?_(?:f|bf)\w+|v_align(?:bit|byte)_b32", "gfx11+", IGNORED),
    ModifierRow(
        CLAMP, r"v_\w*cvt_\w+|v_(?:pk_)?(?:max|min|med|ashrrev)3?_\w+|v_(?:ffb|frexp_exp|mul_hi)\w+", "", UNCHANGED
    ),
    ModifierRow(
        OMOD, rf"v_cvt_(?:sr_)?(?:pk_)?(?:{_FORMATS_OF_8}_f32|f32_{_FORMATS_OF_8})", "gfx94|gfx95|gfx12+", IGNORED
    ),
    ModifierRow(OMOD, r"v_cvt_f\d+_(?:[iu]\d+|ubyte\d)|v_cvt_off_f32_i4|v_cvt_(?:sr_)?pk_\w+", "gfx125", IGNORED),
)
"""The first row that fits decides. Those of gfx11 cover the lists of AMD's RDNA 3 document, and so on."""

_SCALES = {1: ("mul:2", "2.0"), 2: ("mul:4", "4.0"), 3: ("div:2", "0.5")}
"""How each value of the field `omod` is written, and the factor."""

_IN_MODE = "!gfx117 !gfx12+"
"""Targets with MODE.DX10_CLAMP and MODE.IEEE, on which omod depends on MODE.FP_DENORM."""
_PACKED_DOCUMENTED = "gfx11+"
_UNDOCUMENTED = "gfx117|gfx13"

_RESULT = re.compile(r"(?:^|[:;]) *D\.(?P<kind>bf|fp|[uifb])(?P<size>\d+)(?P<place>\[(?:[^][]|\[[^]]*\])+\])? = ")
_ASSIGNMENT = re.compile(r"(?P<left>(?:^|.*: ) *D\.[ui]\d+(?:\[[^]]+\])? = )(?P<right>[^;]+)$")


class Modified(NamedTuple):
    """An operation with modifiers, empty if they leave it as it is, and sentences about them."""

    operation: str
    notes: tuple[str, ...]


class _Assignment(NamedTuple):
    """What an operation assigns: its type, the element as `[i]`, and the loop over the elements if there is one."""

    kind: str
    size: int
    place: str
    loop: str

    @property
    def name(self) -> str:
        return f"D.{self.kind}{self.size}{self.place}"

    @property
    def is_scalable(self) -> bool:
        """Whether omod knows the type; that of bf16 and packed ones does not."""
        return self.kind == "f" and not self.place


class _TargetFacts(NamedTuple):
    """The rows of a target. in_mode: whether MODE decides. takes_packed: whether omod's effect on those is known."""

    rows: tuple[ModifierRow, ...]
    in_mode: bool
    takes_packed: bool
    is_documented: bool


@cache
def _of_target(name: str) -> _TargetFacts:
    in_mode, packed, undocumented = (
        conditions.covers(each, name) for each in (_IN_MODE, _PACKED_DOCUMENTED, _UNDOCUMENTED)
    )
    rows = tuple(row for row in ROWS if conditions.covers(row.condition, name))
    return _TargetFacts(rows, in_mode, packed, not undocumented)


def row(modifier: str, mnemonic: str, target: str) -> ModifierRow | None:
    """What is said of a modifier on an instruction; None if the type of the result decides."""
    rows = (row for row in _of_target(target).rows if row.modifier == modifier)
    return next((row for row in rows if re.fullmatch(row.mnemonics, mnemonic)), None)


def effect(modifier: str, mnemonic: str, target: str) -> str:
    """What a modifier does to the result of an instruction; empty if its type decides."""
    found = row(modifier, mnemonic, target)
    return found.effect if found is not None else ""


@lru_cache(maxsize=1 << 10)
def modified(operation: str, mnemonic: str, target: str, omod: int, clamp: bool) -> Modified:
    """What an instruction does with the modifiers that are written. omod: the value of the field, 0 for none."""
    results = tuple(dict.fromkeys(_results(operation)))
    about = _of_target(target)
    lines, notes = operation, []
    if omod in _SCALES:
        written, factor = _SCALES[omod]
        lines, said = _scaled(lines, results, effect(OMOD, mnemonic, target), factor, about)
        notes += [f"`{written}` {text}" for text in said]
    if clamp:
        lines, said = _clamped(lines, results, effect(CLAMP, mnemonic, target), in_mode=about.in_mode)
        notes += [f"`clamp` {text}" for text in said]
    if notes and not about.is_documented:
        notes.append("No public document describes the modifiers of this target; on gfx12 they do this.")
    return Modified(lines if lines != operation else "", tuple(notes))


def _results(operation: str) -> Iterator[_Assignment]:
    for line in operation.split("\n"):
        for match in _RESULT.finditer(line):
            place = match["place"] or ""
            loop = re.search(rf"for {re.escape(place[1:-1])} < \w+: ", line) if place else None
            yield _Assignment(match["kind"], int(match["size"]), place, loop[0] if loop else "")


def _scaled(
    operation: str, results: tuple[_Assignment, ...], found: str, factor: str, about: _TargetFacts
) -> tuple[str, tuple[str, ...]]:
    """found: what the rows say."""
    is_packed = any(result.place and result.kind == "f" for result in results)
    if is_packed and not about.takes_packed:
        return operation, ("has no documented effect on packed results.",)
    if found == IGNORED or not any(result.is_scalable for result in results):
        return operation, ("is ignored here.",)
    if not about.in_mode:
        lines = (f"{each.name} = scaled({each.name}, {factor})" for each in results)
        return "\n".join((operation, *lines)), ("makes 0.0 of a denormal result and of -0.0, whatever MODE says.",)
    field = "MODE.FP_DENORM_32" if results[0].size == 32 else "MODE.FP_DENORM_16_64"
    lines = (f"if !MODE.IEEE && !{field}[1]: {each.name} = scaled({each.name}, {factor})" for each in results)
    usual = "both are" if field.endswith("64") else "the first is"
    said = f"is ignored if MODE.IEEE is set or {field} keeps denormal results; {usual} so by default in a kernel."
    return "\n".join((operation, *lines)), (said,)


def _clamped(
    operation: str, results: tuple[_Assignment, ...], found: str, *, in_mode: bool
) -> tuple[str, tuple[str, ...]]:
    kinds = {result.kind for result in results}
    if found == SIGNALS:
        return operation, ("makes a comparison with any NaN raise the exception INVALID.",)
    if found == OTHER_FORMAT:
        return operation, ("chooses the format E5M3 in place of FP8.",)
    if found == AT_LEAST_0:
        lines = (f"{each.loop}{each.name} = max({each.name}, 0)" for each in results)
        return "\n".join((operation, *lines)), ("makes negative results 0.",)
    if found == IGNORED or kinds == {"b"}:
        return operation, ("is ignored here.",)
    if kinds and kinds <= {"f", "bf"}:
        return _between_0_and_1(operation, results, in_mode=in_mode)
    if found == UNCHANGED:
        return operation, ("changes no result here: all are in the range of their type.",)
    if kinds and kinds <= {"u", "i"}:
        lines = (_ASSIGNMENT.sub(r"\g<left>saturate(\g<right>)", line) for line in operation.split("\n"))
        return "\n".join(lines), ("limits the exact result to the range of its type.",)
    return operation, ()


def _between_0_and_1(operation: str, results: tuple[_Assignment, ...], *, in_mode: bool) -> tuple[str, tuple[str, ...]]:
    lines = (
        f"{each.loop}{f'if MODE.DX10_CLAMP || !is_nan({each.name}): ' if in_mode else ''}"
        f"{each.name} = min(max({each.name}, 0.0), 1.0)"
        for each in results
    )
    said = (
        "makes 0.0 of a NaN if MODE.DX10_CLAMP is set, as by default in a kernel." if in_mode else "makes 0.0 of a NaN."
    )
    return "\n".join((operation, *lines)), (said,)
