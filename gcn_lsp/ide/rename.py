"""Renames labels, symbols, macros, macro parameters and registers, wherever the assembled unit names them.

A name means the same in all files that are assembled together, so the files that include the one with the definition
change too; their texts come from the caller. In metadata a kernel's name changes with its label.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.ide import mnemonics, references, rename_register
from gcn_lsp.ide.reading import cursors, mentions, metadata_names, scope
from gcn_lsp.ide.reading.mentions import Mention
from gcn_lsp.ide.reading.scope import MacroBody
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.names import statement_names
from gcn_lsp.text import Location, SourceText, Text, TextEdit

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class Renaming(msgspec.Struct, frozen=True):
    """The edits of a renaming; none if `refused` gives a reason against it. along: what moved with it, and why."""

    edits: tuple[TextEdit, ...] = ()
    refused: Text = ""
    along: Text = ""


class _Subject(msgspec.Struct, frozen=True):
    """The renamed thing. body: the macro around a parameter. Labels are symbols."""

    kind: Literal["macro", "symbol", "parameter"]
    name: str
    where: Location
    body: MacroBody | None = None


_NAME = re.compile(r"[A-Za-z_.$][A-Za-z0-9_.$@]*")
_PARAMETER = re.compile(r"[A-Za-z_.$][A-Za-z0-9_.$]*")
_OF_MACROS = frozenset(("macro", "word"))
_DEFINING = frozenset(("label", "assignment", "macro"))
_PURGE = ".purgem"


def prepare(program: "Program", line: int, column: int) -> Location | None:
    """The renamable name or register under the cursor; None on mnemonics, directives and the rest."""
    register = rename_register.at(program, line, column)
    if register is not None:
        return register.where
    subject = _subject(program, line, column)
    return subject.where if subject is not None else None


def refused(program: "Program", line: int, column: int) -> Text:
    """Why what is under the cursor cannot be renamed, whatever its new name; empty if a name may be given."""
    register = rename_register.at(program, line, column)
    return rename_register.from_entry(program, register) if register is not None else ""


def declaring_files(program: "Program", line: int, column: int) -> frozenset[str]:
    """The files that define the name under the cursor: files that include one of them change with it."""
    subject = _subject(program, line, column)
    if subject is None:
        return frozenset()
    if subject.body is not None:
        return frozenset((program.path,))
    return frozenset(each.where.path for each in _mentions(program, subject) if each.role in _DEFINING)


def rename(program: "Program", line: int, column: int, new: str, others: Iterable[SourceText] = ()) -> Renaming:
    """Rename what is under the cursor to `new`; `others` are the further files in which the name means the same."""
    register = rename_register.at(program, line, column)
    if register is not None:
        return Renaming(*rename_register.rename(program, register, new))
    subject = _subject(program, line, column)
    if subject is None:
        return Renaming(refused="nothing here can be renamed")
    if subject.kind == "parameter":
        new = new.removeprefix("\\")
    refused = _refusal(program, subject, new)
    if refused:
        return Renaming(refused=refused)
    if new == subject.name:
        return Renaming()
    return Renaming(tuple(TextEdit(where, new) for where in _places(program, subject, others)))


def linked(program: "Program", line: int, column: int, others: Iterable[SourceText] = ()) -> list[Location]:
    """All places of the label under the cursor, if all are in the main file and in what is written there."""
    subject = _subject(program, line, column)
    if subject is None or subject.kind != "symbol" or subject.name in program.options.defines:
        return []
    labels = [each for each in mentions.mentions(program, subject.name) if each.role == "label"]
    found = _places(program, subject, others) if labels else []
    return found if all(each.path == program.path for each in found) else []


def _places(program: "Program", subject: _Subject, others: Iterable[SourceText]) -> list[Location]:
    """Every place of the subject, in order."""
    further = [source for source in others if source.path != program.path and source.path not in program.included]
    if subject.body is not None:
        places = list(_of_parameter(program, subject.body, subject.name, further))
    else:
        places = [each.where for each in _mentions(program, subject)]
        places += metadata_names.places(program, subject.name) if subject.kind == "symbol" else ()
        places += [each.where for source in further for each in _in_text(source, subject)]
    return sorted(dict.fromkeys(places))


def _subject(program: "Program", line: int, column: int) -> _Subject | None:
    if not 0 <= line < len(program.source.lines) or scope.in_metadata(program, line):
        return None
    cursor = cursors.locate(program.line(line), column)
    word = cursor.word
    start, name = word.start, word.text
    if cursor.place in ("comment", "blank") or not name:
        return None
    parameter = scope.parameter_at(program, line, name)
    if parameter is not None:
        body, plain = parameter
        return _Subject(
            "parameter", plain, Location(program.path, line, start + len(name) - len(plain), word.end), body
        )
    statement = cursor.statement
    if statement is not None and cursor.place == "operands":
        called = program.macros.get(statement.name)
        following = program.source.lines[line][word.end :].lstrip()
        if called is not None and following[:1] == b"=" and following[:2] != b"==":
            return _of_call(program, called.name, name, Location(program.path, line, start, word.end))
    name = name.partition("@")[0].removesuffix(".kd")
    if not _NAME.fullmatch(name) or cursors.is_register(cursor, program.target):
        return None
    role = _role_at(program, line, start)
    if role is None:
        return None
    text = program.source.lines[line]
    is_macro = role in _OF_MACROS or (role == "use" and _PURGE.encode() in text)
    known = name in program.macros if is_macro else bool(mentions.written_definitions(program, name))
    where = Location(program.path, line, start, start + len(name.encode()))
    return _Subject("macro" if is_macro else "symbol", name, where) if known else None


def _role_at(program: "Program", line: int, start: int) -> str | None:
    """The role of the name that begins at a place."""
    for statement in program.line(line).statements:
        for role, _, begin, _ in statement_names(statement):
            if begin == start:
                return role
    return None


def _of_call(program: "Program", macro: str, name: str, where: Location) -> _Subject | None:
    """The parameter of `name=value` in a call."""
    called = program.macros[macro]
    place = scope.macro_header(program, called)
    if place is None or place[0] != program.path or all(each.name != name for each in called.parameters):
        return None
    return _Subject("parameter", name, where, MacroBody(called, place[1]))


def _mentions(program: "Program", subject: _Subject) -> list[Mention]:
    """The places of a macro's name, or those of a symbol: if both have one name, only one's own."""
    found = list(mentions.mentions(program, subject.name))
    if subject.kind == "symbol" and any(each.role == "label" for each in found):
        found += [_without_suffix(each) for each in mentions.mentions(program, f"{subject.name}.kd")]
    return [each for each in found if _is_of(each, subject, program.line_text(each.where.path, each.where.line))]


def _is_of(mention: Mention, subject: _Subject, text: bytes) -> bool:
    is_macro = mention.role in _OF_MACROS or (_PURGE.encode() in text and mention.role == "use")
    return is_macro == (subject.kind == "macro")


def _without_suffix(mention: Mention) -> Mention:
    where = mention.where
    return Mention(mention.role, Location(where.path, where.line, where.start, where.end - len(".kd")))


def _in_text(source: SourceText, subject: _Subject) -> Iterator[Mention]:
    wanted = subject.name.encode("utf-8", "surrogateescape")
    comment_open = False
    for number, text in enumerate(source.lines):
        line = parse_line(text, comment_open)
        comment_open = line.comment_open
        for statement in line.statements if wanted in text else ():
            for role, name, start, end in statement_names(statement):
                mention = Mention(role, Location(source.path, number, start, end))
                if name == subject.name and _is_of(mention, subject, text):
                    yield mention


def _of_parameter(program: "Program", body: MacroBody, name: str, further: Iterable[SourceText]) -> Iterator[Location]:
    """The places of a parameter in the header and body of its macro, and in calls that name it."""
    macro = body.macro
    wanted = name.encode("utf-8", "surrogateescape")
    for each in references.parameter_references(program, body, name):
        where = each.where
        yield Location(where.path, where.line, where.end - len(wanted), where.end)
    named = re.compile(rb"(?<![\w.$\\@])" + re.escape(wanted) + rb"(?=[ \t]*=(?!=))")
    calls = [
        (each, program.line_text(each.where.path, each.where.line)) for each in mentions.mentions(program, macro.name)
    ]
    subject = _Subject("macro", macro.name, Location(program.path, body.header, 0, 0))
    for source in further:
        calls += [(each, source.lines[each.where.line]) for each in _in_text(source, subject)]
    for mention, text in calls:
        for statement in parse_line(text).statements if mention.role == "word" else ():
            if statement.name_start == mention.where.start:
                for match in named.finditer(statement.line, statement.rest_start, statement.end):
                    yield Location(mention.where.path, mention.where.line, match.start(), match.end())


def _refusal(program: "Program", subject: _Subject, new: str) -> str:
    """The reason against the new name; empty if there is none."""
    if new == subject.name:
        return ""
    if subject.body is not None:
        if not _PARAMETER.fullmatch(new):
            return f"`{new}` is not a valid name for a macro's parameter"
        if any(each.name == new for each in subject.body.macro.parameters):
            return f"macro `{subject.body.macro.name}` already has a parameter `{new}`"
        if any(b".altmacro" in line for line in program.source.lines):
            return "with `.altmacro` any word in the body may be a parameter"
        return ""
    if not _NAME.fullmatch(new):
        return f"`{new}` is not a valid name for a {subject.kind}"
    if subject.kind == "macro":
        if new in program.macros:
            return f"macro `{new}` already exists"
        if mnemonics.targets_with(new.lower()):
            return f"`{new}` is a mnemonic"
        return ""
    if cursors.is_register_name(new.lower(), program.target):
        return f"`{new}` is a register"
    if new in program.final_state.symbols or new in program.layout.labels or mentions.definitions(program, new):
        return f"`{new}` already exists"
    if subject.name in program.options.defines:
        return f"the build defines `{subject.name}` and would not know its new name"
    return ""
