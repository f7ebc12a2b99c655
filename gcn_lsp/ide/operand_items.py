"""The completion entries for an operand: registers, modifiers, words, symbols and labels that its slots accept."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.analysis.values import kernel_inputs
from gcn_lsp.ide import in_flight, mnemonics
from gcn_lsp.ide.completion_list import CompletionItem
from gcn_lsp.ide.describe import immediates, numbers
from gcn_lsp.ide.reading import free_registers, next_operand
from gcn_lsp.ide.reading import registers as registers_in
from gcn_lsp.ide.reading.next_operand import Opening
from gcn_lsp.instruction import assembler, operands
from gcn_lsp.instruction.constraints import memory
from gcn_lsp.instruction.match import Step
from gcn_lsp.instruction.model import Instruction, Operand
from gcn_lsp.instruction.registers import tuple_text
from gcn_lsp.instruction.special import hwreg, sendmsg, waitcnt
from gcn_lsp.isa import documentation
from gcn_lsp.isa.modifiers import cache_policy, table
from gcn_lsp.isa.operands import exports, formats, gpr_index, swizzle
from gcn_lsp.isa.operands.sendmsg import messages
from gcn_lsp.isa.waits import waitcnt as counters
from gcn_lsp.patterns import regex
from gcn_lsp.syntax import lines
from gcn_lsp.syntax.expressions import FORMER_FUNCTIONS
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import rendered

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def operand_items(
    program: "Program", number: int, statement: Statement, start: int, end: int
) -> Iterator[CompletionItem]:
    """The entries for bytes `start` to `end` of the operands on line `number`; registers used near it come first."""
    target = program.target
    before = statement.line.ljust(start)[statement.rest_start : start]
    if target is None:
        yield from (*symbols(program), *labels(program))
        return
    values = {name: value if type(value) is int else None for name, value in program.final_state.symbols.items()}
    call = _OPEN_CALL.search(before)
    modifier = _OPEN_MODIFIER.search(before)
    if modifier is not None and (call is None or call[1] != _SWIZZLE):
        if before.endswith(b":"):
            line = _LineWithEntry(target, statement, start, end, values)
            found = _modifier_values(target, statement, modifier[1][:-1].decode())
            yield from (item for item in found if not line.rejects(item, _NO_SUCH_VALUE))
        yield from symbols(program)
        return
    if call is not None and call[1] not in _SOURCE_MODIFIERS:
        name = call[1].decode().lower()
        for count, done in in_flight.counts(program, number, name) if name in waitcnt.layout(target) else ():
            yield CompletionItem(str(count), "value", done, sort=f"0{count:03}")
        yield from _call_arguments(target, name, before)
        yield from symbols(program)
        return
    if _in_index(before) or _IN_EXPRESSION.search(before):
        yield from symbols(program)
        return
    opening = next_operand.opening(target, statement, start, end, values)
    if not opening.candidates.matchers:  # not yet a known mnemonic
        yield from (*registers(target), *symbols(program), *labels(program))
        return
    yield from _of_opening(program, number, opening, _LineWithEntry(target, statement, start, end, values))


def _of_opening(program: "Program", number: int, opening: Opening, line: "_LineWithEntry") -> Iterator[CompletionItem]:
    """The entries for a whole operand that the instruction may take next."""
    target = line.target
    if _MODIFIED.search(line.written):
        yield from _nearby(program, number, opening, is_modified=True)
        yield from _register_items(opening, target, is_modified=True)
        return
    if _is_destination(opening) and len(program.source.lines) > 1:  # a line alone does not say what others hold
        yield from _free(program, number, opening)
    for step in opening.steps:
        yield from (item for item in _keywords(opening, step, target) if not line.rejects(item, _NOT_TAKEN))
    if opening.cache_policy is not None:
        flags = _cache_flags(opening, target, opening.cache_policy)
        yield from (item for item in flags if not line.rejects(item, _NOT_TAKEN))
    if opening.candidates.has_format:
        yield from _formats(line.statement, line.start, target)
    if not _is_destination(opening):
        yield from _inputs(program, number, opening)
    yield from _nearby(program, number, opening)
    if opening.candidates.base.startswith("image_"):
        yield from _of_image_width(_register_items(opening, target, begun=line.begun), line)
    else:
        yield from _register_items(opening, target, begun=line.begun)
    yield from _of_values(program, opening, line)


def _of_values(program: "Program", opening: Opening, line: "_LineWithEntry") -> Iterator[CompletionItem]:
    """The symbols and labels that a slot takes as numbers and addresses."""
    is_branch = any(step.slot.kind is not None and step.slot.kind.match == "SOPPBrTarget" for step in opening.steps)
    if not is_branch and any(step.rule.takes_numbers for step in opening.steps):
        for item in symbols(program):
            if opening.takes_number(line.values[item.label]):
                yield item
    takes_values = any(step.rule.registers is not None for step in opening.steps)
    if (is_branch or takes_values) and opening.takes_address():
        yield from labels(program)


# `offset:`, and text directly after it without a blank.
_OPEN_MODIFIER = regex(rb"([a-z0-9_]+:)[^\s,\[]*$|[a-z0-9_]+:\[[^\]]*$")
_OPEN_CALL = regex(rb"([A-Za-z_][A-Za-z0-9_]*)\([^()]*$")
_SWIZZLE = b"swizzle"
_SOURCE_MODIFIERS = frozenset((b"neg", b"abs", b"sext"))
_IN_EXPRESSION = regex(rb"[+*/%~<>&^(]\s*$|[A-Za-z0-9_)\]]\s*-\s*$")
_MODIFIED = regex(rb"(?:-|\||\b(?:neg|abs|sext)\()$")


def symbols(program: "Program") -> Iterator[CompletionItem]:
    """The symbols with values."""
    for name, value in program.final_state.symbols.items():
        if name == FORMER_FUNCTIONS:
            continue
        detail = f"{value} ({numbers.hexadecimal(value)})" if type(value) is int else ""
        yield CompletionItem(name, "symbol", detail, sort=f"3{name}")


def labels(program: "Program") -> Iterator[CompletionItem]:
    """The labels with their addresses."""
    for name, address in program.layout.labels.items():
        yield CompletionItem(name, "label", f"{address.section} + {address.offset:#x}", sort=f"2{name}")


# Registers

_FILES: Mapping[str, str] = {"v": "VGPR", "a": "AccVGPR", "s": "SGPR", "ttmp": "trap SGPR"}


@lru_cache(maxsize=8)
def registers(target: isa.Target) -> tuple[CompletionItem, ...]:
    """Every single register."""
    found = []
    for file, title in _FILES.items():
        found += [_single(file, f"{file}{number}", number, title) for number in range(target.file_sizes.get(file, 0))]
    return (*found, *_specials(target))


@lru_cache(maxsize=8)
def _specials(target: isa.Target) -> tuple[CompletionItem, ...]:
    return tuple(
        CompletionItem(
            register.name, "register", f"special register, {register.dwords * 32} bits", sort=f"1~{register.name}"
        )
        for register in dict.fromkeys(target.registers.values())
    )


def _register_items(
    opening: Opening, target: isa.Target, is_modified: bool = False, begun: str = ""
) -> Iterator[CompletionItem]:
    """The registers that the slots accept: tuples of their width, single ones, special ones.

    begun: what is typed of the operand. Nobody keeps an address or a descriptor in a special register: for those, only
    the special ones that begin so.
    """
    classes = [step.rule.registers for step in opening.steps if step.rule.registers is not None]
    ranges = tuple(dict.fromkeys(part for each in classes for part in each.ranges))
    is_written = all(step.slot.is_def for step in opening.steps if step.rule.registers is not None)
    specials = (item for item in _specials(target) if not (is_written and item.label.startswith(_READ_ONLY)))
    is_base = all(step.slot.name in _BASES for step in opening.steps if step.rule.registers is not None)
    for item in (*_range_items(ranges), *specials):
        if is_base and not item.label.startswith(_FOR_BASES) and not (begun and item.label.startswith(begun)):
            continue
        if opening.takes_register(item.label, is_modified):
            yield item


_BASES = frozenset(("sbase", "saddr", "srsrc", "ssamp"))  # slots of addresses and descriptors in SGPRs
_FOR_BASES = ("s[", "null")


def _is_destination(opening: Opening) -> bool:
    """Whether the operand is only written."""
    slots = [step.slot for step in opening.steps if step.rule.registers is not None]
    ties = (pair for matcher in opening.candidates.matchers for pair in matcher.form.ties)
    read = {name for pair in ties if _OLD not in pair for name in pair}
    return bool(slots) and all(slot.is_def and slot.name not in read for slot in slots)


_OLD = "old"  # of DPP: the lanes that are not written, which nobody has to preset
_MOST_FREE = 3


def _free(program: "Program", number: int, opening: Opening) -> Iterator[CompletionItem]:
    """The lowest registers that are free on the line, for a result."""
    taken = free_registers.taken(program, number)
    classes = [step.rule.registers for step in opening.steps if step.rule.registers is not None]
    for part in dict.fromkeys(part for each in classes for part in each.ranges):
        if part.file not in _ALLOCATED or part.half == "hi":
            continue
        half = {"lo": ".l"}.get(part.half, "")
        count = max(part.dwords, 1)
        step = part.step if count == 1 else max(part.step, _PAIR)  # even where the target takes odd ones
        free = (
            first
            for first in range(part.first, part.last + 1, step)
            if not sets.of_tuple(part.file, first, count) & taken
        )
        for rank, first in enumerate(itertools.islice(free, _MOST_FREE)):
            text = f"{part.file}{first}{half}" if count == 1 else tuple_text(part.file, first, count)
            if opening.takes_register(text):
                yield CompletionItem(text, "register", "free here", sort=f"  {_ALLOCATED.index(part.file)}{rank}")


_ALLOCATED = ("v", "a", "s")  # the first file first: few kernels that have accumulators load into them


def _inputs(program: "Program", number: int, opening: Opening) -> Iterator[CompletionItem]:
    """The registers that still hold what their kernel was started with; first of all where a base is wanted."""
    rank = 0 if any(step.slot.name == "sbase" for step in opening.steps) else 1
    for each in kernel_inputs.available(program, number):
        place = each.input
        text = tuple_text(place.file, place.first, place.count)
        if opening.takes_register(text):
            bits = f", bits {place.bits}" if place.bits else ""
            yield CompletionItem(text, "register", f"{place.title}{bits}", sort=f" {rank}{place.first:04}")


# How far around a line registers are searched, and how many of them come first.
_LINES_BEFORE, _LINES_BEHIND, _MOST_NEARBY = 24, 4, 12


def _nearby(program: "Program", line: int, opening: Opening, is_modified: bool = False) -> Iterator[CompletionItem]:
    """Registers that the lines around use and a slot accepts, as written there, the nearest line above first.

    For a source, registers that were written come before those that were only read; for a result, the lowest first.
    """
    wants_source = not _is_destination(opening)
    found: dict[str, bool] = {}
    parts: dict[str, bool] = {}
    firsts: dict[str, int] = {}
    for number, instruction, form in _instructions_around(program, line):
        written = {slot.name for slot in form.slots if slot.is_def}
        for operand in instruction.operands:
            if operand.kind != "register":
                continue
            if operand.slot in written and wants_source and number < line:
                for text in _parts(opening, operand):
                    parts.setdefault(text, text.endswith("]"))
            if opening.takes_register(_plain_name(operand), is_modified):
                node = registers_in.register_node(operand.node)
                text = instruction.statement.line[node.start : node.end].decode("utf-8", "replace")
                found[text] = found.get(text, False) or operand.slot in written
                firsts[text] = operand.first
    # What was written whole, then wide parts of what was written, then what was only read, then single parts.
    found = found | parts if wants_source else found
    ranked = sorted(found, key=lambda text: wants_source and not found[text])[:_MOST_NEARBY]
    for rank, text in enumerate(ranked if wants_source else sorted(ranked, key=lambda text: firsts[text])):
        is_written = wants_source and found[text]
        yield CompletionItem(text, "register", "used nearby", sort=f" {'0' if is_written else '2'}1{rank:02}")


def _instructions_around(program: "Program", line: int) -> "Iterator[tuple[int, Instruction, isa.Form]]":
    """The instructions on the lines above a line, the nearest first, then on those below; each with its line."""
    above = range(line - 1, max(-1, line - 1 - _LINES_BEFORE), -1)
    for number in (*above, *range(line + 1, min(len(program.source.lines), line + _LINES_BEHIND + 1))):
        chunk = program.chunk_at(number)
        for item in program.chunks[chunk].items_on(number - program.bases[chunk]):
            instruction = item.instruction
            if instruction is not None and instruction.form is not None and item.written.frame is None:
                yield number, instruction, instruction.form


def _parts(opening: Opening, operand: Operand) -> Iterator[str]:
    """The parts of a tuple that a slot accepts: what a load has brought is used in pieces."""
    if operand.count < _PAIR or operand.file not in _ALLOCATED:
        return
    classes = [step.rule.registers for step in opening.steps if step.rule.registers is not None]
    for part in dict.fromkeys(part for each in classes for part in each.ranges if part.file == operand.file):
        count = max(part.dwords, 1)
        if count < operand.count and not part.half:
            last = operand.first + operand.count - count
            for first in range(operand.first, last + 1):
                if (first - part.first) % part.step == 0:
                    yield f"{part.file}{first}" if count == 1 else tuple_text(part.file, first, count)


_PAIR = 2


def _plain_name(operand: Operand) -> str:
    """The register as `Opening.takes_register` expects it."""
    if operand.file not in _FILES:
        return operand.file
    if operand.count > 1:
        return tuple_text(operand.file, operand.first, operand.count)
    half = operand.text[-2:] if operand.text.endswith((".l", ".h")) else ""
    return f"{operand.file}{operand.first}{half}"


class _LineWithEntry:
    """The line with an entry inserted, as the assembler judges it. written: the operands before the entry."""

    def __init__(
        self, target: isa.Target, statement: Statement, start: int, end: int, values: Mapping[str, int | None]
    ) -> None:
        line = statement.line.ljust(end)
        self.statement = statement
        self.start = start
        self.written = line[statement.rest_start : start]
        self.begun = line[start:end].decode("utf-8", "replace").lower().strip()
        self.target = target
        self.values = values
        self._before = line[statement.start : start]
        self._after = line[end : max(end, statement.end)]

    def rejects(self, item: CompletionItem, rules: frozenset[str]) -> bool:
        """Whether the line has a problem of one of the rules; an entry with a placeholder is not judged."""
        if item.label.endswith(":") or "(" in item.insert:
            return False
        changed = lines.parse_line(self._before + item.label.encode() + b" " + self._after, False).statements
        problems = assembler.assemble(self.target, changed[-1], self.values).problems if changed else ()
        return any(problem.rule in rules for problem in problems)


_NOT_TAKEN = frozenset(("unknown-modifier", "duplicate-modifier", "unsupported-on-target"))
_NO_SUCH_VALUE = frozenset(("modifier-out-of-range", "unsupported-on-target"))
_OTHER_WIDTH = frozenset(("wrong-register-width",))


def _of_image_width(items: Iterator[CompletionItem], line: _LineWithEntry) -> Iterator[CompletionItem]:
    """The items without registers that are more or fewer than the `dmask` of an image instruction requires."""
    rejected: set[str] = set()
    for item in items:
        title = rendered(item.detail, "").removesuffix(_BY_NUMBER)
        if item.is_snippet and line.rejects(item, _OTHER_WIDTH):
            rejected.add(title)
        if title not in rejected:
            yield item


_READ_ONLY = "src_"  # LLVM's classes contain these, but they cannot be written


_BY_NUMBER = " by its number"


@lru_cache(maxsize=256)
def _range_items(ranges: "tuple[isa.RegisterRange, ...]") -> tuple[CompletionItem, ...]:
    found = []
    for part in ranges:
        title = _FILES.get(part.file, part.file)
        late = "1~" if part.file == "ttmp" else "0"
        rank = list(_FILES).index(part.file) if part.file in _FILES else len(_FILES)
        if part.dwords > 1:
            first = part.first
            text = tuple_text(part.file, first, part.dwords)
            insert = f"{part.file}[${{1:{first}}}:${{2:{first + part.dwords - 1}}}]"
            found.append(CompletionItem(text, "register", f"{part.dwords} {title}s", insert, f"{late}{rank}", True))
            continue
        if not part.half:
            text, insert = f"{part.file}[{part.first}]", f"{part.file}[${{1:{part.first}}}]"
            found.append(CompletionItem(text, "register", title + _BY_NUMBER, insert, f"1~{rank}", True))
        half = {"lo": ".l", "hi": ".h"}.get(part.half, "")
        found += [
            _single(part.file, f"{part.file}{number}{half}", number, title)
            for number in range(part.first, part.last + 1, part.step)
        ]
    return tuple(found)


def _single(file: str, name: str, number: int, title: str) -> CompletionItem:
    rank = list(_FILES).index(file) if file in _FILES else len(_FILES)
    late = "~" if file == "ttmp" else ""
    return CompletionItem(name, "register", title, sort=f"1{late}{rank}{number:04}")


# Words


def _keywords(opening: Opening, step: Step, target: isa.Target) -> Iterator[CompletionItem]:
    """The words that a slot accepts."""
    rule, slot = step.rule, step.slot
    if rule.token:
        if rule.token[0].isalnum() or rule.token == "::":
            yield (
                _word(rule.token)
                if rule.token in _FLAGS
                else CompletionItem(
                    rule.token, "value", sort=f"{'  ' if rule.token in target.registers else '0'}{rule.token}"
                )
            )
        return
    if slot.kind is None:
        return
    if rule.merged.startswith(operands.CACHE):
        yield from _cache_flags(opening, target, 0, _GLC.get(rule.merged.removeprefix(operands.CACHE)))
        return
    special = _BY_CLASS.get(slot.kind.match)
    if special is not None:
        yield from special(target)
    elif rule.names is not None:
        for word in sorted(rule.names):
            is_negated = word.startswith("no") and word.removeprefix("no") in rule.names
            if word not in _ALIASES and not is_negated:
                yield _word(word) if slot.role == "modifier" else CompletionItem(word, "value", sort=f"0{word}")


_FLAGS = frozenset(("offen", "idxen", "addr64", "lds", "tfe", "gds"))
_ALIASES = frozenset(name + ":" for name in table.ALIASES)
_GLC = {" with glc": True, " without glc": False}


def _cache_flags(
    opening: Opening, target: isa.Target, written: int, wants_glc: bool | None = None
) -> Iterator[CompletionItem]:
    """Cache policies besides those in `written`. wants_glc: the slot's form is the one with or without it."""
    for name, bit in cache_policy.flags(target.features, opening.candidates.base.startswith("s_")).items():
        fits = wants_glc is None or wants_glc == (bit == cache_policy.GLC)
        if fits and not written & bit:
            yield _word(name)
    if target.has_temporal_hints and not written:
        yield from (_word(f"{name}:") for name in cache_policy.HINT_WORDS)


def _formats(statement: Statement, start: int, target: isa.Target) -> Iterator[CompletionItem]:
    """Formats come before the offset or, in newer assembly, after it."""
    written = [node for node in statement.operands if node.end <= start]
    if re.search(rb"\b(?:format|dfmt|nfmt):", statement.rest):
        return
    if len(written) == _FORMAT_PLACE and not formats.is_unified(target.features):
        yield from (_word("dfmt:"), _word("nfmt:"))
    elif len(written) in (_FORMAT_PLACE, _FORMAT_PLACE + 1):
        yield _word("format:")


_FORMAT_PLACE = 3  # after the data, the address and the resource


def _word(word: str) -> CompletionItem:
    """A modifier; one with a value ends in a colon."""
    detail = _modifier_summary(word.rstrip(":"))
    if not word.endswith(":"):
        return CompletionItem(word, "modifier", detail, sort=f"0{word}")
    insert = f"{word}[$1]" if word in _LISTS else f"{word}$1"
    return CompletionItem(word, "modifier", detail, insert, f"0{word}", True)


_LISTS = frozenset(row.name + ":" for row in table.ROWS.values() if row.shape == "array")


@lru_cache(maxsize=512)
def _modifier_summary(name: str) -> str:
    entry = documentation.modifier(name)
    return entry.summary if entry is not None else ""


def _modifier_values(target: isa.Target, statement: Statement, name: str) -> Iterator[CompletionItem]:
    """The words that a modifier accepts on the target."""
    if name == "offset" and statement.word.startswith(swizzle.MNEMONIC):
        yield _helper_call(_SWIZZLE.decode(), "mode, ...")
    if name == "format" and formats.is_unified(target.features):
        for number, label in enumerate(formats.unified_formats(target.features)):
            word = documentation.word(label, target)
            yield CompletionItem(label, "value", word.summary if word is not None else "", sort=f"0{number:03}")
        return
    entry = documentation.modifier(name, target)
    for value in entry.values if entry is not None else ():
        label = value.spelling.removeprefix(f"{name}:")
        if _WORD.fullmatch(label) and (name != "th" or _is_hint_of(label, target, statement)):
            yield CompletionItem(label, "value", value.meaning, sort=f"0{label}")


_WORD = regex(r"\w+")  # numbers too: the meaning of 1 is worth showing


def _is_hint_of(label: str, target: isa.Target, statement: Statement) -> bool:
    """Whether a temporal hint is one for what the instruction does: load, store, or both at once."""
    sorts = {memory.hint_sort(form) for form in mnemonics.candidates(target, statement.word)}
    return label == "TH_DEFAULT" or not sorts or any(label.startswith(f"TH_{sort}_") for sort in sorts)


# Function-like operands


def _helper_call(name: str, arguments: str) -> CompletionItem:
    return CompletionItem(name, "value", f"{name}({arguments})", f"{name}($1)", f"0{name}", True)


def _wait_counters(target: isa.Target) -> Iterator[CompletionItem]:
    for name in waitcnt.layout(target):
        detail = f"outstanding {immediates.COUNTERS[name]}"
        yield CompletionItem(name, "value", detail, f"{name}(${{1:0}})", f"0{name}", True)


def _field_calls(names: "Mapping[str, object]") -> Iterator[CompletionItem]:
    for name in names:
        yield CompletionItem(name, "value", "", f"{name}($1)", f"0{name}", True)


# The values that the slots of these classes accept besides numbers.
_BY_CLASS: Mapping[str, Callable[[isa.Target], Iterator[CompletionItem]]] = {
    "SWaitCnt": _wait_counters,
    "DepCtr": lambda target: _field_calls(counters.depctr_fields(target.features)),
    "SDelayALU": lambda _: _field_calls(counters.DELAY_FIELDS),
    "Hwreg": lambda _: iter((_helper_call("hwreg", "register, offset, size"),)),
    "SendMsg": lambda _: iter((_helper_call("sendmsg", "message, operation, stream"),)),
    "GPRIdxMode": lambda _: iter((_helper_call("gpr_idx", "mode, ..."),)),
    "ExpTgt": lambda target: (
        CompletionItem(name, "value", sort=f"0{number:03}") for name, number in exports.targets(target.features).items()
    ),
    "InterpAttr": lambda _: (
        CompletionItem(f"attr{number}.{channel}", "value", sort=f"0{number:03}{'xyzw'.index(channel)}")
        for number in range(_ATTRIBUTES)
        for channel in "xyzw"
    ),
}
_ATTRIBUTES = 33


def _call_arguments(target: isa.Target, call: str, before: bytes) -> Iterator[CompletionItem]:
    is_first = b"," not in before.rpartition(b"(")[2]
    if call == "hwreg" and is_first:
        for name, number in hwreg.names(target).items():
            entry = documentation.hwreg(name, target)
            yield CompletionItem(name, "value", entry.summary if entry else f"register {number}", sort=f"0{number:03}")
    elif call == "sendmsg" and is_first:
        for name, number in sendmsg.names(target).items():
            message = documentation.message(name, target)
            yield CompletionItem(
                name, "value", message.summary if message else f"message {number}", sort=f"0{number:03}"
            )
    elif call == "sendmsg":
        known = messages(target.features)
        first = _FIRST_ARGUMENT.search(before)
        sent = known.get(first[1].decode()) if first is not None else None
        is_second = before.rpartition(b"(")[2].count(b",") == 1
        for name, number in sent.operations.items() if sent is not None and is_second else ():
            entry_of = documentation.message(name, target)
            yield CompletionItem(name, "value", entry_of.summary if entry_of else "", sort=f"0{number:03}")
    elif call == _SWIZZLE.decode():
        for name in swizzle.modes(target.features) if is_first else ():
            word = documentation.word(name, target)
            yield CompletionItem(name, "value", word.summary if word else "", sort=f"0{name}")
    else:
        for name, value in _CALL_WORDS.get(call, {}).items():
            yield CompletionItem(name, "value", sort=f"0{value:03}")


_FIRST_ARGUMENT = regex(rb"\(\s*(\w+)[^()]*$")
_CALL_WORDS: Mapping[str, Mapping[str, int]] = {
    "gpr_idx": gpr_index.MODES,
    "instid0": counters.DELAY_INSTRUCTIONS,
    "instid1": counters.DELAY_INSTRUCTIONS,
    "instskip": counters.DELAY_SKIPS,
}


def _in_index(before: bytes) -> bool:
    """Whether the cursor is inside `v[`; a bracket without a file contains registers."""
    opened = before.rfind(b"[")
    return opened > before.rfind(b"]") and opened > 0 and before[opened - 1 : opened].isalnum()
