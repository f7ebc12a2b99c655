"""What fits at the cursor: mnemonics, macros and directives where a statement begins, operands and modifiers after it.

A list is made for the target and reused: only symbols, labels and macros come from the program at each request.
Documentation of an entry is not in the list but made by `resolve` for the one that the editor shows.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp import isa
from gcn_lsp.asm.special import hwreg, sendmsg, waitcnt
from gcn_lsp.ide import cursor as cursors
from gcn_lsp.ide import directives, markdown, mnemonics, numbers, scope
from gcn_lsp.ide.cursor import Cursor
from gcn_lsp.ide.describe import form as forms
from gcn_lsp.ide.describe import helper, macro, symbol
from gcn_lsp.ide.describe import instruction as instructions
from gcn_lsp.isa import documentation
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.rules.registry import RULES
from gcn_lsp.syntax.statement import Kind, Statement
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.asm.program import Program


class CompletionItem(msgspec.Struct, frozen=True, gc=False):
    """One entry of the list.

    kind: `mnemonic`, `macro`, `directive`, `register`, `symbol`, `label`, `modifier`, `value`, `parameter`, `rule`.
    insert: the text that goes in; in a snippet, `$1` marks a place to fill in. sort: entries are shown by it.
    """

    label: str
    kind: str
    detail: str = ""
    insert: str = ""
    sort: str = ""
    is_snippet: bool = False

    @property
    def text(self) -> str:
        """What goes in."""
        return self.insert or self.label


class Completions(msgspec.Struct, frozen=True):
    """The entries for a place; each replaces the text at `where`."""

    where: Location
    items: tuple[CompletionItem, ...]


def complete(program: "Program", line: int, column: int) -> Completions | None:
    """What fits at byte `column` of `line`; None where nothing is completed (strings, plain comments, metadata)."""
    if not 0 <= line < len(program.source.lines) or scope.in_metadata(program, line):
        return None
    text = program.source.lines[line]
    parsed = program.line(line)
    if parsed.comment_start is not None and column > parsed.comment_start:
        return _rule_names(program, line, text, column)
    cursor = cursors.locate(parsed, column)
    word = cursor.word
    start = word.start
    if word.start < column and text[start : start + 1] == b"\\":
        return _completions(program, line, start, word.end, _parameters(program, line))
    if _in_string(text, column):
        return None
    found = tuple(_items(program, line, column, cursor))
    return _completions(program, line, start, max(word.end, column), found)


def resolve(program: "Program", item: CompletionItem, line: int) -> str:
    """The documentation of an entry, as Markdown."""
    if item.kind == "mnemonic":
        return instructions.documentation_of(item.label, program.target, None)
    if item.kind == "directive":
        row = directives.lookup(item.label)
        return markdown.join(markdown.block(row.syntax), row.text) if row is not None else ""
    if item.kind == "macro":
        found = program.macros.get(item.label)
        return macro.describe(program, found) if found is not None else ""
    if item.kind in ("symbol", "label"):
        return symbol.describe(program, item.label, line) or ""
    if item.kind == "rule":
        rule = RULES.get(item.label)
        return rule.summary if rule is not None else ""
    name = item.label.partition(":")[0].partition("(")[0]
    return (
        helper.modifier(name)
        or helper.hardware_register_name(name)
        or helper.message_name(name)
        or helper.special_register(name)
        or ""
    )


def _completions(
    program: "Program", line: int, start: int, end: int, items: tuple[CompletionItem, ...]
) -> Completions | None:
    return Completions(Location(program.path, line, start, end), items) if items else None


def _items(program: "Program", line: int, column: int, cursor: Cursor) -> Iterable[CompletionItem]:
    statement = cursor.statement
    if statement is None or (column <= statement.name_end and statement.kind is Kind.COMMAND):
        return _statement_start(program)
    if statement.kind is Kind.LABEL:
        return _statement_start(program) if column >= statement.end else ()
    if statement.kind is Kind.ASSIGNMENT:
        return _symbols(program) if column >= statement.rest_start else ()
    if statement.kind is not Kind.COMMAND:
        return _statement_start(program)
    called = program.macros.get(statement.name)
    if called is not None:
        return (*_keywords(called), *_registers(program), *_symbols(program), *_labels(program))
    if statement.word.startswith("."):
        return _directive_operands(program, statement)
    return _operands(program, statement, program.source.lines[line][statement.rest_start : column])


# Where a statement begins


def _statement_start(program: "Program") -> Iterator[CompletionItem]:
    for name, found in program.macros.items():
        yield CompletionItem(name, "macro", macro.signature(found).removeprefix(".macro "), sort=f"1{name}")
    if program.target is not None:
        yield from _mnemonics(program.target)
    yield from _directives()


@lru_cache(maxsize=8)
def _mnemonics(target: isa.Target) -> tuple[CompletionItem, ...]:
    found = ((name, documentation.entry(name)) for name in target.mnemonics)
    return tuple(
        CompletionItem(name, "mnemonic", entry.summary if entry is not None else "", sort=f"0{name}")
        for name, entry in found
    )


@lru_cache(maxsize=1)
def _directives() -> tuple[CompletionItem, ...]:
    rows = (*directives.DIRECTIVES, *directives.SYNONYMS, *directives.FIELDS)
    found = ((name, directives.lookup(name)) for name in sorted(rows))
    return tuple(
        CompletionItem(name, "directive", row.syntax.partition(" ")[2], sort=f"2{name}")
        for name, row in found
        if row is not None
    )


# Operands


def _operands(program: "Program", statement: Statement, before: bytes) -> Iterable[CompletionItem]:
    """What fits behind `before`, the argument text up to the cursor."""
    target = program.target
    if target is None:
        return (*_registers(program), *_symbols(program), *_labels(program))
    call = _open_call(before)
    if call is not None:
        return (*_call_arguments(target, call, before), *_symbols(program))
    if _in_register_index(before):
        return _symbols(program)
    found = mnemonics.candidates(target, statement.word)
    modifier = _OPEN_MODIFIER.search(before)
    if modifier is not None:
        return (*_modifier_values(modifier[1].decode()), *_symbols(program))
    index = _operand_number(before)
    slots = [_slot(form, index) for form in found]
    known = [slot for slot in slots if slot is not None]
    items: list[CompletionItem] = []
    if any(slot.role == "operand" for slot in known) or not found:
        items += _for_slots(program, target, known)
    items += (CompletionItem(slot.text, "value", sort=f"1{slot.text}") for slot in known if slot.role == "token")
    if any(slot is None for slot in slots) or _after_blank(before):
        items += _modifiers(found, target, statement)
    return dict.fromkeys(items)


_OPEN_MODIFIER = re.compile(rb"([a-z0-9_]+):[A-Za-z0-9_]*$")


def _operand_number(before: bytes) -> int:
    """Which operand is being typed behind `before`: commas outside brackets count."""
    depth = 0
    number = 0
    for byte in before:
        if byte in b"([":
            depth += 1
        elif byte in b")]":
            depth -= 1
        elif byte == 0x2C and depth <= 0:
            number += 1
    return number


def _after_blank(before: bytes) -> bool:
    """Whether the last operand is complete and a blank stands behind it: `v0, v1 |`."""
    return bool(re.search(rb"[^\s,][ \t]+[A-Za-z0-9_]*$", before))


def _slot(form: isa.Form, index: int) -> isa.Slot | None:
    """The positional slot number `index` of a form; None behind the last."""
    places = [
        slot for slot in form.slots if slot.role == "operand" or (slot.role == "token" and slot.text not in _FLAGS)
    ]
    return places[index] if index < len(places) else None


_FLAGS = frozenset(("offen", "idxen", "addr64", "lds", "tfe", "gds"))


def _for_slots(program: "Program", target: isa.Target, slots: list[isa.Slot]) -> Iterator[CompletionItem]:
    """Registers that fit, those that the slots take first; labels for branches, helpers for their slots."""
    parsers = {slot.kind.parser for slot in slots if slot.kind is not None}
    if "parseSOPPBrTarget" in parsers:
        yield from _labels(program)
        return
    if "parseSWaitCnt" in parsers:
        yield from _wait_counters(target)
        return
    if "parseHwreg" in parsers:
        yield CompletionItem("hwreg", "value", "hwreg(register, offset, size)", "hwreg($1)", "0hwreg", True)
        return
    if "parseSendMsg" in parsers:
        yield CompletionItem("sendmsg", "value", "sendmsg(message, operation, stream)", "sendmsg($1)", "0sendmsg", True)
        return
    classes = [slot.kind.registers for slot in slots if slot.kind is not None and slot.kind.registers is not None]
    if classes or not slots:
        files = frozenset(file for each in classes for file in each.files)
        widths = frozenset(each.bits // 32 for each in classes)
        specials = frozenset(name for each in classes for name in each.specials)
        yield from _ranked_registers(target, files, widths, specials)
    yield from _symbols(program)


@lru_cache(maxsize=512)
def _ranked_registers(
    target: isa.Target, files: frozenset[str], widths: frozenset[int], specials: frozenset[str]
) -> tuple[CompletionItem, ...]:
    """Registers, those of the right file and width first: `v[0:1]` where a pair is wanted."""
    found = []
    for rank, (file, title) in enumerate(_FILE_TITLES.items()):
        size = target.file_sizes.get(file, 0)
        if not size:
            continue
        fits = not files or file in files
        if fits:
            for width in sorted(width for width in widths if width > 1):
                detail = f"{width} {title}s"
                found.append(CompletionItem(f"{file}[:]", "register", detail, f"{file}[$1:$2]", f"0{rank}", True))
        if fits and (1 in widths or not widths):
            found += [
                CompletionItem(f"{file}{number}", "register", title, sort=f"1{rank}{number:03}")
                for number in range(size)
            ]
            found.append(CompletionItem(f"{file}[]", "register", title, f"{file}[$1]", f"0{rank}", True))
    for register in dict.fromkeys(target.registers.values()):
        first = "1" if register.name in specials else "5"
        if not files or first == "1":
            found.append(CompletionItem(register.name, "register", _special(register), sort=f"{first}~{register.name}"))
    return tuple(found)


_FILE_TITLES: Mapping[str, str] = {"v": "VGPR", "a": "AccVGPR", "s": "SGPR", "ttmp": "trap SGPR"}


def _special(register: isa.Register) -> str:
    return f"special register, {register.dwords * 32} bits"


def _registers(program: "Program") -> tuple[CompletionItem, ...]:
    if program.target is None:
        return ()
    return _ranked_registers(program.target, frozenset(), frozenset(), frozenset())


def _symbols(program: "Program") -> Iterator[CompletionItem]:
    for name, value in program.final_state.symbols.items():
        detail = f"{value} ({numbers.hexadecimal(value)})" if type(value) is int else ""
        yield CompletionItem(name, "symbol", detail, sort=f"3{name}")


def _labels(program: "Program") -> Iterator[CompletionItem]:
    for name, address in program.layout.labels.items():
        yield CompletionItem(name, "label", f"{address.section} + {address.offset:#x}", sort=f"2{name}")


# Modifiers and function-like operands


def _modifiers(found: tuple[isa.Form, ...], target: isa.Target, statement: Statement) -> Iterator[CompletionItem]:
    """The modifiers of the forms that are not written yet."""
    written = {word.decode() for word in _WORD.findall(statement.rest)}
    seen: set[str] = set()
    for form in found:
        for slot in form.slots:
            words = forms.spellings(slot, target, form) if slot.role == "modifier" else ()
            if slot.role == "token" and slot.text in _FLAGS:
                words = (slot.text,)
            for word in words:
                if word not in seen and word.rstrip(":") not in written:
                    seen.add(word)
                    yield _modifier(word)


_WORD = re.compile(rb"[a-z0-9_]+")


def _modifier(word: str) -> CompletionItem:
    detail = _modifier_summary(word.rstrip(":"))
    if not word.endswith(":"):
        return CompletionItem(word, "modifier", detail, sort=f"0{word}")
    insert = f"{word}[$1]" if word in _LISTS else f"{word}$1"
    return CompletionItem(word, "modifier", detail, insert, f"0{word}", True)


_LISTS = frozenset(("op_sel:", "op_sel_hi:", "neg_lo:", "neg_hi:", "quad_perm:", "dpp8:"))


@lru_cache(maxsize=512)
def _modifier_summary(name: str) -> str:
    entry = documentation.modifier(name)
    return entry.summary if entry is not None else ""


def _modifier_values(name: str) -> Iterator[CompletionItem]:
    entry = documentation.modifier(name)
    for value in entry.values if entry is not None else ():
        label = value.spelling.removeprefix(f"{name}:")
        if label.isidentifier():
            yield CompletionItem(label, "value", value.meaning, sort=f"0{label}")


def _open_call(before: bytes) -> str | None:
    """The function whose arguments the cursor is in: `hwreg` behind `hwreg(HW_`."""
    match = _OPEN_CALL.search(before)
    return match[1].decode().lower() if match is not None else None


_OPEN_CALL = re.compile(rb"([A-Za-z_][A-Za-z0-9_]*)\([^()]*$")


def _in_register_index(before: bytes) -> bool:
    opened = before.rfind(b"[")
    return opened > before.rfind(b"]") and opened > 0 and before[opened - 1 : opened] not in (b":", b" ", b",")


def _call_arguments(target: isa.Target, call: str, before: bytes) -> Iterator[CompletionItem]:
    first = b"," not in before.rpartition(b"(")[2]
    if call == "hwreg" and first:
        for name, number in hwreg.names(target).items():
            entry = documentation.hwreg(name)
            yield CompletionItem(name, "value", entry.summary if entry else f"register {number}", sort=f"0{number:03}")
    elif call == "sendmsg":
        if first:
            for name, number in sendmsg.names(target).items():
                message = documentation.message(name)
                detail = message.summary if message else f"message {number}"
                yield CompletionItem(name, "value", detail, sort=f"0{number:03}")
        else:
            for name in documentation.names("messages"):
                if "_OP_" in name:
                    yield CompletionItem(name, "value", sort=f"0{name}")


@lru_cache(maxsize=8)
def _wait_counters(target: isa.Target) -> tuple[CompletionItem, ...]:
    return tuple(
        CompletionItem(name, "value", f"outstanding {helper.COUNTERS[name]}", f"{name}($1)", f"0{name}", True)
        for name in waitcnt.layout(target)
    )


# Directives, macro arguments, comments


def _directive_operands(program: "Program", statement: Statement) -> Iterable[CompletionItem]:
    if statement.word in _SYMBOL_DIRECTIVES:
        return _labels(program)
    if statement.word == ".amdgcn_target":
        return ()
    if statement.word == ".purgem":
        return (CompletionItem(name, "macro") for name in program.macros)
    return (*_symbols(program), *_labels(program))


_SYMBOL_DIRECTIVES = frozenset(
    (".globl", ".global", ".weak", ".hidden", ".protected", ".local", ".type", ".size", ".amdhsa_kernel")
)


def _keywords(called: Macro) -> Iterator[CompletionItem]:
    for parameter in called.parameters:
        detail = "must be given" if parameter.required else ""
        yield CompletionItem(f"{parameter.name}=", "parameter", detail, sort=f"0{parameter.name}")


def _parameters(program: "Program", line: int) -> tuple[CompletionItem, ...]:
    body = scope.macro_at(program, line)
    if body is None:
        return ()
    names = (*(parameter.name for parameter in body.macro.parameters), "@", "()")
    return tuple(CompletionItem(f"\\{name}", "parameter", sort=f"0{name}") for name in names)


def _rule_names(program: "Program", line: int, text: bytes, column: int) -> Completions | None:
    match = _SUPPRESSION.search(text[:column])
    if match is None:
        return None
    items = tuple(CompletionItem(name, "rule", rule.summary, sort=name) for name, rule in RULES.items())
    return _completions(program, line, match.start(1), column, items)


_SUPPRESSION = re.compile(rb"gcn-lsp:\s*disable(?:-file)?\s*=\s*(?:[a-z-]+\s*,\s*)*([a-z-]*)$")


def _in_string(text: bytes, column: int) -> bool:
    return text[:column].replace(b'\\"', b"").count(b'"') % 2 == 1


def prepare(target: isa.Target) -> None:
    """Make the lists that do not depend on a program."""
    _mnemonics(target)
    _directives()
