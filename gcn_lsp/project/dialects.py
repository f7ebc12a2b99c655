"""Files whose text is not what the assembler reads: chooses their view, and takes findings through its map."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from gcn_lsp import isa
from gcn_lsp.findings.model import Finding, Fix, Related
from gcn_lsp.patterns import regex
from gcn_lsp.program.program import Options
from gcn_lsp.project.settings import Settings
from gcn_lsp.rules import RULES, unread_text
from gcn_lsp.text import Location, SourceText, Text, TextEdit, mapped
from gcn_lsp.views import map as views
from gcn_lsp.views import unread_lines
from gcn_lsp.views.map import Derived as Derived
from gcn_lsp.views.preprocessed.signs import is_preprocessed

PLAIN, PREPROCESSED, SP3, BUNDLE, CLRX, LISTING = "", "C preprocessor", "SP3", "a bundle", "CLRX", "CodeXL"
_ANY_TARGET = "gfx900"  # for the widths of operands, where nothing says the target
_SP3_ENDINGS = (".asm", ".sp3")


def dialect(path: str, source: SourceText) -> str:
    """What a file is written in, besides assembly."""
    if path.lower().endswith(_SP3_ENDINGS):
        from gcn_lsp.views.sp3.view import is_sp3  # late: few files need it

        if is_sp3(source.lines, is_named_so=path.lower().endswith(".sp3")):
            return SP3
    if unread_lines.is_bundle(source.lines):
        return BUNDLE
    if unread_lines.is_clrx(source.lines):
        return CLRX
    if unread_lines.is_listing(source.lines):
        return LISTING
    return PREPROCESSED if is_preprocessed(path, source.lines) else PLAIN


def lines_for(source: SourceText, target: str | None) -> Sequence[bytes]:
    """The lines of a file that may name its target, if `target` is asked for: of a bundle one part."""
    return unread_lines.part_of(source, target).source.lines if unread_lines.is_bundle(source.lines) else source.lines


_MARKS = regex(
    rb"^[^\S\n]*(?:#[ \t]*(?:define|undef|if|ifdef|ifndef|elif|else|endif|__CLANG)|shader|asic|type|wave_size"
    rb"|function[ \t]+\w+[ \t]*\(|(?:for[ \t]+)?var[ \t]"
    rb"|\.(?:amd|amdcl2|gallium|rocm|rawcode)\b|[a-z][^\n/]*// [0-9A-F]{8}: )",
    re.M,
)


def marks(lines: Sequence[bytes]) -> bool:
    """Whether one of the lines is of a kind that decides the dialect, perhaps together with the others.

    A text without such a line is plain assembly, so nobody need look at the text again until an edit brings one.
    """
    return _MARKS.search(b"\n".join(lines)) is not None


def derived(
    written_in: str, source: SourceText, options: Options, settings: Settings, previous: Derived | None = None
) -> Derived:
    """The text that the assembler reads. previous: an earlier version's."""
    return _VIEWS[written_in](source, options, settings, previous)


def _as_written(source: SourceText, options: Options, settings: Settings, previous: Derived | None) -> Derived:
    return views.as_written(source)


def _bundle(source: SourceText, options: Options, settings: Settings, previous: Derived | None) -> Derived:
    return unread_lines.part_of(source, options.target, unread_text.RULE.name)


def _clrx(source: SourceText, options: Options, settings: Settings, previous: Derived | None) -> Derived:
    return unread_lines.clrx(source, unread_text.RULE.name)


def _listing(source: SourceText, options: Options, settings: Settings, previous: Derived | None) -> Derived:
    return unread_lines.listing(source, unread_text.RULE.name)


def _preprocessed(source: SourceText, options: Options, settings: Settings, previous: Derived | None) -> Derived:
    from gcn_lsp.views.preprocessed import view  # late: few files need it

    return view.of(source, options.include, macros(options, settings), options.expansion_limit, previous)


def _sp3(source: SourceText, options: Options, settings: Settings, previous: Derived | None) -> Derived:
    from gcn_lsp.views.sp3 import view  # late: few files need it

    name = options.target or next(iter(options.candidates), _ANY_TARGET)
    preprocessed = _preprocessed(source, options, settings, previous)
    return view.of(preprocessed, isa.load_target(name, options.mattr), options.expansion_limit)


_VIEWS: Mapping[str, Callable[[SourceText, Options, Settings, Derived | None], Derived]] = {
    PLAIN: _as_written,
    PREPROCESSED: _preprocessed,
    SP3: _sp3,
    BUNDLE: _bundle,
    CLRX: _clrx,
    LISTING: _listing,
}


def macros(options: Options, settings: Settings) -> Mapping[str, str]:
    """The macros that a compiler defines for assembly on the target, and those of the build."""
    target = options.target
    own = {"__ASSEMBLER__": "1", "__AMDGCN__": "1", "__AMDGPU__": "1", "__AMD__": "1", "__ELF__": "1", "__llvm__": "1"}
    if target is not None:
        name = target.replace("-", "_")
        digits = name.removeprefix("gfx").partition("_")[0]
        generation = digits if "_" in name else digits[:-2]
        own |= {f"__{name}__": "1", f"__GFX{generation}__": "1", "__amdgcn_processor__": f'"{target}"'}
    return {**own, **{name: str(value) for name, value in settings.defines.items()}, **settings.macros}


def in_original(view: Derived, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings at their places in the written text, each once, without fixes of text that is not in it."""
    if view.is_written:
        yield from findings
        return
    seen: set[tuple[Location, str, Text]] = set()
    for finding in findings:
        if finding.where.path == view.source.path and not view.is_judged:
            continue
        found = _in_original(view, finding)
        key = (found.where, found.rule, found.said)
        if key not in seen:
            seen.add(key)
            yield found


def mistakes(view: Derived) -> Iterator[Finding]:
    """What is wrong with the text before the assembler reads it."""
    for mistake in view.mistakes:
        yield RULES[mistake.rule].at(mistake.where, mistake.message)


def _in_original(view: Derived, finding: Finding) -> Finding:
    where = view.to_original(finding.where)
    related = tuple(
        Related(view.to_original(each.where), views.plain(each.message), each.is_step) for each in finding.related
    )
    if finding.where.path == view.source.path:
        steps = view.origin(finding.where.line).steps
        related += tuple(Related(place, said, is_step=True) for place, said in reversed(steps))
    fixes = tuple(
        Fix(fix.title, tuple(_edit(view, edit) for edit in fix.edits), fix.is_certain)
        for fix in finding.fixes
        if all(view.is_copied(edit.where) for edit in fix.edits)
    )
    return msgspec.structs.replace(
        finding,
        where=where,
        said=mapped(finding.said, lambda place: _line(view, place), views.plain),
        related=related,
        fixes=fixes,
        last=view.to_original(finding.last) if finding.last is not None else None,
    )


def _edit(view: Derived, edit: TextEdit) -> TextEdit:
    return TextEdit(view.to_original(edit.where), edit.new_text, edit.takes_line)


def _line(view: Derived, where: Location) -> Location:
    """The line, for messages, that a derived line stands for."""
    if where.path != view.source.path:
        return where
    origin = view.origin(where.line)
    return Location(origin.path, origin.line, 0, 0)
