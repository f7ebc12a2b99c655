"""Completes mnemonics, macros and directives at the start of a statement, and operands and modifiers after it.

A list is made for the target and reused: each request adds only symbols, labels and macros from the program. `resolve`
makes the documentation of the one entry that the editor shows.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide import completion_list, finished, operand_items, snippets
from gcn_lsp.ide.completion_list import CompletionItem, Completions
from gcn_lsp.ide.describe import builtin, directive, macro, markdown, page, subject, symbol, words
from gcn_lsp.ide.reading import cursors, free_registers, scope
from gcn_lsp.ide.reading.cursors import Cursor
from gcn_lsp.isa import documentation
from gcn_lsp.isa.kernels import descriptor, kernel_code
from gcn_lsp.patterns import regex
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.program.kernels import metadata, metadata_text
from gcn_lsp.rules import RULES
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Line, Statement, StatementKind
from gcn_lsp.text import Location, Text, rendered

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


__all__ = ["CompletionItem", "Completions", "complete", "complete_line", "prepare", "resolve"]


def complete(
    program: "Program", line: int, column: int, trigger: str = "", most: int = completion_list.LIMIT
) -> Completions | None:
    """The entries for byte `column` of `line`; None where nothing is completed (strings, plain comments).

    None too where what is typed is complete: an editor that takes the first entry with Enter must find no list there.
    trigger: the character whose typing made the editor ask, if it was that. most: entries of the list.
    """
    if not 0 <= line < len(program.source.lines):
        return None
    if scope.in_metadata(program, line):
        from gcn_lsp.ide import metadata_items  # late: few completions are there

        return metadata_items.complete(program, line, column)
    if trigger == " ":
        return None
    text = program.source.lines[line]
    parsed = program.line(line)
    if trigger == ":" and not _AFTER_MODIFIER.search(text[:column].lstrip()):
        return None
    if parsed.comment_start is not None and cursors.in_comment(parsed, column):
        return _rule_names(program, line, text, column)
    cursor = cursors.locate(parsed, column)
    start, end = cursor.word.start, max(cursor.word.end, column)
    typed = text[start:column].decode("utf-8", "replace")
    if typed.startswith("\\"):
        found: Iterable[CompletionItem] = _parameters(program, line)
    elif _in_string(text, column):
        return None
    else:
        if finished.is_finished(program, line, parsed, column):
            return None
        whole = _end_of_operand(cursor, start, end)
        found = _fitted(_items(program, line, column, cursor, start, whole), text[end:whole].decode("utf-8", "replace"))
        end = whole
    listed = completion_list.completions(Location(program.path, line, start, end), found, typed, most)
    if listed is None or not _ends_line(parsed, end):
        return listed
    if any(_is_whole(item, typed) for item in listed.items):
        return None
    target = program.target
    items = listed.items if target is None else tuple(_with_operands(target, item) for item in listed.items)
    # An editor that filters a list by itself would not see that the word has become complete.
    return Completions(listed.where, items, True, listed.is_cut)


def complete_line(
    program: "Program", column: int, trigger: str = "", most: int = completion_list.LIMIT
) -> Completions | None:
    """The entries for byte `column` of the instruction that is all of `program`: those that no other line decides.

    They are as incomplete as what is typed. None where only the rest of the file says what there is.
    """
    cursor = cursors.locate(program.line(0), column)
    statement, target = cursor.statement, program.target
    if target is None or statement is None or statement.kind is not StatementKind.COMMAND:
        return None
    if not target.native(statement.name) and cursor.place != "name":
        return None  # a directive or a macro
    if cursor.place != "name":
        found = complete(program, 0, column, trigger, most)
    else:
        typed = statement.name[: column - statement.name_start]
        items = (_mnemonic(target, name) for name in target.mnemonics if typed and name.startswith(typed))
        where = Location(program.path, 0, statement.name_start, statement.name_end)
        found = completion_list.completions(where, items, typed, most)
    return msgspec.structs.replace(found, is_incomplete=True, is_cut=True) if found is not None else None


_AFTER_MODIFIER = regex(rb"[\s,][A-Za-z_]\w*:$")


def _is_whole(item: CompletionItem, typed: str) -> bool:
    """Whether the typed text is an entry after which nothing has to follow."""
    if item.label != typed:
        return False
    if item.kind in ("directive", "macro"):
        return not rendered(item.detail, "").replace(typed, "").strip()
    return item.kind not in ("mnemonic", "snippet")


def _ends_line(line: Line, column: int) -> bool:
    """Whether only a comment follows the column."""
    return all(statement.end <= column for statement in line.statements)


def _with_operands(target: isa.Target, item: CompletionItem) -> CompletionItem:
    """A mnemonic with placeholders for its operands."""
    operands = _operand_snippet(target, item.label) if item.kind == "mnemonic" else ""
    if not operands:
        return item
    return CompletionItem(item.label, item.kind, item.detail, f"{item.label} {operands}", item.sort, True)


@lru_cache(maxsize=8192)
def _operand_snippet(target: isa.Target, mnemonic: str) -> str:
    """`${1:vdst}, ${2:src0}, ${3:vsrc1}`: the required operands of the first form."""
    syntax = target.first_syntax(mnemonic)
    if "::" in syntax:
        return ""  # a pair of instructions
    counter = itertools.count(1)
    parts = (
        " ".join(f"${{{next(counter)}:{match[1]}}}" if match[1] else match[2] for match in _WORDS.finditer(part))
        for part in syntax.split(",")
    )
    return ", ".join(part for part in parts if part)


# Operands and words of a syntax; the parts attached to an operand are optional modifiers.
_WORDS = regex(r"(?<![\w$])(?:\$(\w+)|([a-z]\w*))")


def resolve(program: "Program", item: CompletionItem, line: int) -> Text:
    """The documentation of an entry, as Markdown."""
    if item.kind in ("modifier", "value") and scope.in_metadata(program, line):
        from gcn_lsp.ide import metadata_items  # late, as above

        return metadata_items.describe(item.label)
    if item.kind == "mnemonic":
        return page.text(subject.of(item.label, program.target))
    if item.kind == "builtin":
        return builtin.describe(item.label, ()) or ""
    if item.kind == "directive":
        row = directive.lookup(item.label)
        if row is None:
            return directive.header_field(item.label, program.target) or ""
        return markdown.join(markdown.block(row.syntax), row.text, directive.values(item.label, program.target))
    if item.kind == "macro":
        found = program.macros.get(item.label)
        return macro.describe(program, found) if found is not None else ""
    if item.kind in ("symbol", "label"):
        return symbol.describe(program, item.label, line) or ""
    if item.kind == "snippet":
        known = {each.label: each for each in (*_snippets(program, line), *_written_metadata(program))}
        return markdown.block(snippets.Snippet("", known[item.label].text).text) if item.label in known else ""
    if item.kind == "rule":
        rule = RULES.get(item.label)
        return rule.summary if rule is not None else ""
    name = item.label.partition(":")[0].partition("(")[0]
    return (
        words.modifier(name, program.target)
        or words.hardware_register_name(name, program.target)
        or words.message_name(name, program.target)
        or words.special_register(name, program.target)
        or ""
    )


def _end_of_operand(cursor: Cursor, start: int, end: int) -> int:
    """The end of the text that an entry replaces; all of `v[0:1]` or `offset:4` if the cursor is in its name."""
    if start == end and cursor.path and cursor.path[0].start == start:
        return cursor.path[0].end  # `-v1` or `[s4, s5]`, with the cursor before it
    for node in cursor.path:
        if (
            isinstance(node, (nodes.Index, nodes.Modifier, nodes.Call, nodes.Float))
            and node.start == start
            and node.end > end
        ):
            return node.end
    return end


def _fitted(items: Iterable[CompletionItem], rest: str) -> Iterator[CompletionItem]:
    """Entries that keep the value or the arguments in `rest`, which they replace: `:4`, `(0)`."""
    if not rest:
        yield from items
        return
    for item in items:
        name = item.label.rstrip(":")
        opener = item.insert.removeprefix(name)[: 2 if rest[1:2] == "[" else 1]  # a list remains a list
        keeps = opener != "" and rest[0] in ":(" and rest.startswith(opener)
        yield CompletionItem(item.label, item.kind, item.detail, name + rest, item.sort) if keeps else item


def _items(
    program: "Program", line: int, column: int, cursor: Cursor, start: int, end: int
) -> Iterable[CompletionItem]:
    statement = cursor.statement
    if statement is None or (column <= statement.name_end and statement.kind is StatementKind.COMMAND):
        return _statement_start(program, line, cursor)
    if statement.kind is StatementKind.LABEL:
        return _statement_start(program, line, cursor) if column >= statement.end else ()
    if statement.kind is StatementKind.ASSIGNMENT:
        return operand_items.symbols(program) if column >= statement.rest_start else ()
    if statement.kind is not StatementKind.COMMAND:
        return _statement_start(program, line, cursor)
    called = program.macros.get(statement.name)
    if called is not None:
        return _macro_arguments(program, called)
    if statement.word.startswith("."):
        return _directive_operands(program, statement, column)
    return operand_items.operand_items(program, line, statement, start, end)


# Where a statement begins


def _statement_start(program: "Program", line: int, cursor: Cursor) -> Iterator[CompletionItem]:
    word = cursor.word.text
    if not word.startswith(".") and scope.in_kernel_header(program, line):
        for name in kernel_code.FIELDS:
            yield CompletionItem(name, "directive", "= value", f"{name} = ", f"00{name}")
    if word.startswith("."):
        # A symbol or a label with a leading dot can be defined here.
        yield from _fields_first(program, line)
        yield from operand_items.symbols(program)
    for name, found in program.macros.items():
        yield CompletionItem(name, "macro", macro.signature(found).removeprefix(".macro "), sort=f"1{name}")
    if word.startswith("."):
        return
    if program.target is not None:
        offered = _mnemonics(program.target)
        for name in sorted(_words_nearby(program, line)):
            if name in offered:
                yield CompletionItem(name, "mnemonic", offered[name].detail, sort=f"00{name}")
        yield from offered.values()
        if scope.descriptor_fields(program, line) is None and not scope.in_kernel_header(program, line):
            yield from _written_metadata(program)
            yield from _snippets(program, line, word)
    if not word:
        yield from _directives()


def _snippets(program: "Program", line: int, word: str = "") -> Iterator[CompletionItem]:
    """The frames; those of one kernel are for the first that has no descriptor yet. word: what is typed."""
    if program.target is None:
        return
    name = next(iter(program.undescribed), snippets.NAME)
    found = snippets.snippets(program.target, name)
    if snippets.LOOP.startswith(word.lower()):  # what is free takes an analysis
        counter = free_registers.lowest(program, line, "s")
        found = snippets.snippets(program.target, name, counter, _new_label(program, "loop"))
    for label, each in found.items():
        yield CompletionItem(label, "snippet", each.summary, each.body, f"1{label}", True)


def _new_label(program: "Program", word: str) -> str:
    """A label that the file does not have, local as its others are: `.Lloop`, `.L_loop2`, `L_loop`."""
    known = program.layout.known
    starts = Counter(match[0] for match in map(_LOCAL.match, known) if match is not None)
    start = starts.most_common(1)[0][0] if starts else ".L"
    names = (f"{start}{word}{number}" for number in ("", *range(2, len(known) + 3)))
    return next(name for name in names if name not in known)


_LOCAL = regex(r"\.L_?|L_|label_")

_DESCRIPTOR = ".amdhsa_kernel"


def _written_metadata(program: "Program") -> Iterator[CompletionItem]:
    """The metadata of the file's own kernels in place of the frame, if there are kernels without any."""
    described = {name for _, _, name in metadata.described(program.metadata)}
    blocks = [block for block in program.kernel_blocks if block.is_closed and block.name not in described]
    lines = tuple(line for block in blocks for line in metadata_text.entry(program, block))
    if lines:
        text = "\n".join(metadata_text.block_of(lines))
        yield CompletionItem(
            snippets.METADATA,
            "snippet",
            "The metadata of the kernels in this file",
            text,
            f"1{snippets.METADATA}",
            True,
        )


def _fields_first(program: "Program", line: int) -> Iterator[CompletionItem]:
    """The directives; inside a descriptor first the fields that the target has and that are not written yet."""
    present = scope.descriptor_fields(program, line)
    features = program.target.features if program.target is not None else None
    known = None if features is None else {f".amdhsa_{name}" for name in descriptor.directives(features)}
    fields = frozenset(documentation.names("descriptor_fields"))
    for item in _directives():
        if item.label not in fields:
            yield item
        elif item.label not in (present or ()) and (known is None or item.label in known):
            sort = item.sort if present is None else f"00{item.label}"
            yield CompletionItem(item.label, item.kind, item.detail, item.insert, sort)


def _words_nearby(program: "Program", line: int) -> frozenset[str]:
    """The first words of the instructions around the line, which are likely to be used again."""
    first, last = line - _NEARBY, line + _NEARBY
    found: set[str] = set()
    for number in range(program.chunk_at(max(first, 0)), program.chunk_at(last) + 1):
        base = program.bases[number]
        # Counted in lines, since the end of a chunk depends on earlier edits.
        found.update(
            item.statement.word
            for item in program.chunks[number].items
            if first <= base + item.written.top_line <= last
        )
    return frozenset(found)


_NEARBY = 96  # lines


@lru_cache(maxsize=8)
def _mnemonics(target: isa.Target) -> dict[str, CompletionItem]:
    return {name: _mnemonic(target, name) for name in target.mnemonics}


def _mnemonic(target: isa.Target, name: str) -> CompletionItem:
    """A mnemonic; a further name of an instruction comes after the real ones."""
    if target.has_forms(name):
        return CompletionItem(name, "mnemonic", documentation.summary(name, target), sort=f"01{name}")
    native = target.native(name)
    detail = f"another name of {native}" if native else documentation.summary(name, target)
    return CompletionItem(name, "mnemonic", detail, sort=f"1~{name}")


@lru_cache(maxsize=1)
def _directives() -> tuple[CompletionItem, ...]:
    rows = (*documentation.names("directives"), *documentation.names("descriptor_fields"))
    found = ((name, directive.lookup(name)) for name in sorted(rows))
    return tuple(
        CompletionItem(name, "directive", _directive_detail(name, row.syntax), sort=f"2{name}")
        for name, row in found
        if row is not None
    )


def _directive_detail(name: str, syntax: str) -> str:
    """The operands of a directive; of a descriptor field, whose operand is one value, what that is."""
    field = documentation.descriptor_field(name)
    return syntax.partition(" ")[2] if field is None else field.summary


# Directives, macro arguments, comments


def _directive_operands(program: "Program", statement: Statement, column: int) -> Iterable[CompletionItem]:
    word = statement.word
    before = statement.line.ljust(column)[statement.rest_start : column]
    is_first = b"," not in before
    if word in _SYMBOL_DIRECTIVES and is_first:
        return _labels_for(program, word)
    if word in _OPERANDS:
        found = _values(_OPERANDS[word].get(0 if is_first else 1, ()))
        # An editor takes `.x` for `.text`, though it is the beginning of a new name.
        begun = before.strip().decode("utf-8", "replace") if is_first and word in _TAKES_NEW_NAME else ""
        return (item for item in found if item.label.startswith(begun))
    if word == ".amdgcn_target" or word in _NAMING or (is_first and word in _NAMING_FIRST):
        return ()  # a string, or a new name: Enter after it has to end the line
    if word == ".purgem":
        return (CompletionItem(name, "macro") for name in program.macros)
    if word.startswith(descriptor.PREFIX):
        return (*_field_values(program, word), *operand_items.symbols(program))
    if is_first and word in _ASSIGNING:
        return operand_items.symbols(program)
    if word in _WITH_ADDRESSES:
        return (*operand_items.symbols(program), *operand_items.labels(program))
    return operand_items.symbols(program)


def _labels_for(program: "Program", word: str) -> Iterator[CompletionItem]:
    """The labels for a directive; for a descriptor first those that have none."""
    first = frozenset(program.undescribed) if word == _DESCRIPTOR else ()
    for item in operand_items.labels(program):
        yield msgspec.structs.replace(item, sort=f"0{item.label}") if item.label in first else item


def _values(values: Iterable[tuple[str, str]]) -> Iterator[CompletionItem]:
    for rank, (value, meaning) in enumerate(values):
        yield CompletionItem(value, "value", meaning, sort=f"0{rank}")


def _field_values(program: "Program", word: str) -> Iterator[CompletionItem]:
    """The values of a descriptor field on the target, if they are few."""
    features = program.target.features if program.target is not None else None
    field = descriptor.directives(features).get(word.removeprefix(descriptor.PREFIX)) if features is not None else None
    if field is None or features is None or field.maximum > _FEW:
        return
    default = field.default_on(features)
    for value in range(field.maximum + 1):
        yield CompletionItem(str(value), "value", "the default" if value == default else "", sort=f"0{value}")


_FEW = 3
_OperandValues = dict[int, tuple[tuple[str, str], ...]]
_ALIGNMENTS: _OperandValues = {
    0: (("8", "256 bytes: code of a kernel"), ("6", "64 bytes: a descriptor"), ("2", "4 bytes"))
}
_BYTES: _OperandValues = {0: (("256", "code of a kernel"), ("64", "a descriptor"), ("4", "a dword"))}
_TAKES_NEW_NAME = frozenset((".section",))
# The values of the first operand (0) and of those after a comma (1).
_OPERANDS: dict[str, _OperandValues] = {
    ".section": {
        0: ((".text", "code"), (".rodata", "constants and descriptors"), (".data", "data"), (".bss", "zeros")),
        1: (
            ('"a"', "in memory"),
            ('"ax"', "code"),
            ('"aw"', "data that may be written"),
            ("@progbits", "with contents"),
        ),
    },
    ".type": {1: (("@function", "a kernel or a function"), ("@object", "data"))},
    ".p2align": _ALIGNMENTS,
    ".balign": _BYTES,
    ".align": _BYTES,
}
_NAMING = frozenset((".macro",))
_NAMING_FIRST = frozenset((".irp", ".irpc"))
_ASSIGNING = frozenset((".set", ".equ", ".equiv"))
_WITH_ADDRESSES = _ASSIGNING | frozenset(
    (".size", ".byte", ".short", ".word", ".long", ".int", ".quad", ".2byte", ".4byte", ".8byte", ".if", ".org")
)
_SYMBOL_DIRECTIVES = frozenset(
    (".globl", ".global", ".weak", ".hidden", ".protected", ".local", ".type", ".size", ".amdhsa_kernel")
)


def _macro_arguments(program: "Program", called: Macro) -> Iterator[CompletionItem]:
    for parameter in called.parameters:
        detail = "required" if parameter.required else ""
        yield CompletionItem(f"{parameter.name}=", "parameter", detail, sort=f"0{parameter.name}")
    yield from operand_items.symbols(program)
    yield from operand_items.labels(program)
    if program.target is not None:
        yield from operand_items.registers(program.target)


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
    where = Location(program.path, line, match.start(1), column)
    return completion_list.completions(where, items, match[1].decode())


_SUPPRESSION = regex(rb"gcn-lsp:\s*disable(?:-file)?\s*=\s*(?:[a-z-]+\s*,\s*)*([a-z-]*)$")


def _in_string(text: bytes, column: int) -> bool:
    return text[:column].replace(b'\\"', b"").count(b'"') % 2 == 1


def prepare(target: isa.Target) -> None:
    """Make the lists that do not depend on a program."""
    _mnemonics(target)
    _directives()
