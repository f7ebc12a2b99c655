"""Declarations of symbols and sections: bindings, flags, types, and contradictions among them.

A chunk notes each one; contradictions are found in the whole program, since they change no byte.
"""

import re
from collections.abc import Iterator

import msgspec

from gcn_lsp.instruction.model import Problem
from gcn_lsp.patterns import regex
from gcn_lsp.preproc.provenance import Written
from gcn_lsp.syntax.statement import Statement

# Directives that give a symbol its binding, with the word by which bindings are compared.
BINDINGS = {".globl": "global", ".global": "global", ".weak": "weak", ".local": "local", ".comm": "common"}
BINDINGS[".common"] = "common"
_SYMBOL_RULE, _SECTION_RULE = "symbol-redefined", "malformed-directive"


class Section(msgspec.Struct, frozen=True):
    """The arguments of a `.section` directive: `flags` and `kind` are None where they are not given.

    size: bytes of an entry of a mergeable section, as written. is_one_of_several: others may have the same name.
    """

    name: str
    flags: frozenset[str] | None = None
    kind: str | None = None
    size: str = ""
    is_one_of_several: bool = False


class Declaration(msgspec.Struct, frozen=True):
    """A statement that declares `name`, and its place. section: of a `.section`."""

    name: str
    statement: Statement
    written: Written
    section: Section | None = None


_FLAGS = frozenset("awxMSTGoReL?")
_WORD_FLAGS = {"#alloc": "a", "#write": "w", "#execinstr": "x", "#tls": "T", "#exclude": "e"}
_TYPES = frozenset(
    [
        "progbits", "nobits", "note", "init_array", "fini_array", "preinit_array", "unwind", "llvm_odrtab",
        "llvm_linker_options", "llvm_call_graph_profile", "llvm_dependent_libraries", "llvm_sympart",
        "llvm_bb_addr_map", "llvm_offloading", "llvm_lto",
    ]
)  # fmt: skip
_TYPE = regex(r'[@%]([A-Za-z_]\w*|\d+|0x[0-9a-fA-F]+)|"([^"]*)"')
# Flags and types implied by the beginning of a name; those in `_KNOWN` exist from the start.
_BY_NAME: tuple[tuple[re.Pattern[str], frozenset[str], str], ...] = (
    (regex(r"\.rodata(\..*|1)?"), frozenset("a"), "progbits"),
    (regex(r"\.(fini|init|text)(\..*)?"), frozenset("ax"), "progbits"),
    (regex(r"\.data1?(\..*)?"), frozenset("aw"), "progbits"),
    (regex(r"\.bss(\..*)?"), frozenset("aw"), "nobits"),
    (regex(r"\.(init|fini|preinit)_array(\..*)?"), frozenset("aw"), ""),
    (regex(r"\.tdata(\..*)?"), frozenset("awT"), "progbits"),
    (regex(r"\.tbss(\..*)?"), frozenset("awT"), "nobits"),
    (regex(r"\.note(\..*)?"), frozenset(), "note"),
)
_KNOWN = frozenset((".text", ".data", ".bss", ".rodata", ".tdata", ".tbss"))


def section(arguments: str) -> "Section | str":
    """The section in the arguments of `.section`; a message if they are malformed."""
    match = _NAME.match(arguments)
    if match is None:
        return "`.section` takes a name"
    name, rest = match[1].strip('"') or match[1], arguments[match.end() :].strip()
    if not rest:
        return Section(name)
    if not rest.startswith(","):
        return "a comma must follow the name of a section"
    if _cut(rest[1:])[0].startswith("#"):
        words = [word.strip() for word in rest[1:].split(",")]
        unknown = next((word for word in words if word not in _WORD_FLAGS), "")
        return f"`{unknown}` is not a section flag" if unknown else Section(name, _letters(words))
    return _with_letters(name, rest[1:])


def _with_letters(name: str, written: str) -> "Section | str":
    """The section of that name, with what follows it: flags as letters in quotes, type, size of elements."""
    first, _, others = _cut(written)
    if len(first) < 2 or first[0] != '"' or first[-1] != '"':
        return 'the flags of a section are letters in quotes, such as `"ax"`'
    flags = first[1:-1]
    if not flags.isdigit() and (unknown := next((letter for letter in flags if letter not in _FLAGS), "")):
        return f"`{unknown}` is not a section flag; the flags are `a`, `w`, `x`, `M`, `S`, `G`, `T`, `o`, `R`, `e`"
    kind, _, others = _cut(others)
    if not kind:
        if "M" in flags or "G" in flags:
            return f"a section with the flag `{'M' if 'M' in flags else 'G'}` needs a type after the flags"
        return Section(name, frozenset(flags))
    found = _TYPE.fullmatch(kind)
    if found is None:
        return "a section type starts with `@`, as in `@progbits`"
    kind = found[1] or found[2] or ""
    if kind not in _TYPES and not kind[:1].isdigit():
        return f"`{kind}` is not a section type; common ones are `progbits`, `nobits` and `note`"
    size, _, others = _cut(others) if "M" in flags else ("", "", others)
    return Section(name, frozenset(flags), kind, size, "G" in flags or "?" in flags or "unique" in others)


_NAME = regex(r'\s*("[^"]*"|[^\s,"]+)')


def _cut(text: str) -> tuple[str, str, str]:
    """The first of some arguments, the comma after it, and the others."""
    first, comma, others = text.partition(",")
    return first.strip(), comma, others


def _letters(words: list[str]) -> frozenset[str]:
    return frozenset(_WORD_FLAGS[word] for word in words)


def contradictions(declarations: "Iterator[tuple[int, Declaration]]") -> "Iterator[tuple[int, Declaration, Problem]]":
    """The contradictions among declarations in order, each with the number of its chunk."""
    bindings: dict[str, str] = {}
    sections: dict[str, Section] = {}
    for number, declared in declarations:
        if declared.section is not None:
            problem = _section_problem(declared, sections)
        else:
            problem = _binding_problem(declared, bindings)
        if problem is not None:
            yield number, declared, problem


def _binding_problem(declared: Declaration, bindings: dict[str, str]) -> "Problem | None":
    name, statement = declared.name, declared.statement
    before, now = bindings.get(name, ""), BINDINGS[statement.word]
    if now == "common":
        bindings[name] = before or "global"
        wrong = False
    else:
        bindings[name] = now
        # A later `.weak` is accepted.
        wrong = before not in ("", now) and now != "weak"
    if not wrong:
        return None
    start = max(statement.line.find(name.encode("utf-8", "surrogateescape"), statement.rest_start), statement.start)
    end = start + len(name.encode("utf-8", "surrogateescape"))
    message = f"`{name}` is already {before}, so `{statement.word}` cannot make it {now}"
    return Problem(_SYMBOL_RULE, start, end, message)


def _section_problem(declared: Declaration, sections: dict[str, Section]) -> "Problem | None":
    found = declared.section
    assert found is not None
    flags, kind = _defaults(found.name)
    known = sections.get(found.name)
    if known is None and found.name in _KNOWN:
        known = Section(found.name, flags, kind)
    own = Section(found.name, flags | (found.flags or frozenset()), found.kind or kind, found.size)
    if found.is_one_of_several:
        return None
    if known is None:
        sections[found.name] = own
        return None
    if found.flags is None:
        return None
    assert known.flags is not None
    statement = declared.statement
    what = ""
    if found.kind and own.kind != known.kind:
        what = f"the type `{known.kind}`"
    elif own.flags != known.flags:
        letters = "".join(sorted(known.flags))
        what = f'the flags `"{letters}"`' if letters else "no flags"
    elif own.size != known.size:
        what = f"entries of {known.size} bytes" if known.size else "no entry size"
    if not what:
        return None
    message = f"section `{found.name}` already has {what}"
    return Problem(_SECTION_RULE, statement.rest_start, statement.end, message)


def _defaults(name: str) -> tuple[frozenset[str], str]:
    for pattern, flags, kind in _BY_NAME:
        if pattern.fullmatch(name):
            return flags, kind or name.split(".")[1]
    return frozenset(), "progbits"
