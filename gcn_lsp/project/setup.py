"""Puts together everything that must be known about a file before it is interpreted: `load`."""

import os
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.findings.model import Finding
from gcn_lsp.isa import versions
from gcn_lsp.program.program import MAX_EXPANDED_LINES, Options
from gcn_lsp.project import compile_commands, compiled, configuration, dialects, other_files, target_choice
from gcn_lsp.project.files import Files, Unreadable
from gcn_lsp.project.includes import IncludeResolver
from gcn_lsp.project.mnemonics import Mnemonics
from gcn_lsp.project.settings import Settings
from gcn_lsp.project.target_choice import Source, TargetChoice
from gcn_lsp.project.target_hints import TargetHints
from gcn_lsp.rules import configuration_error, expansion_limit, unreadable_file
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.map import Derived
from gcn_lsp.views.objects import parts
from gcn_lsp.views.view import View


class FileSetup(msgspec.Struct, frozen=True):
    """A file's text and how to check it.

    source: its text; None if it cannot be read, which is then among the findings. options: for building the program.
    settings: all sources joined, for `settings.shows(rule)`. dialect: what it is written in besides assembly, one of
    `dialects`. findings: of the configuration files and the choice of the
    target; some are in other files than this one.
    """

    source: SourceText | None
    options: Options
    target_choice: TargetChoice
    settings: Settings
    findings: tuple[Finding, ...]
    dialect: str = dialects.PLAIN

    def derived(self, source: SourceText, previous: Derived | None = None) -> Derived:
        """The text that the assembler reads for `source`."""
        return dialects.derived(self.dialect, source, self.options, self.settings, previous)


class Surroundings(msgspec.Struct, frozen=True):
    """Everything outside a file that concerns it. It changes with settings or files, not while one types.

    left_out: bytes of a code object that its text does not show.
    """

    path: str
    preferred: Source | None
    sources: tuple[Source, ...]
    settings: Settings
    resolver: IncludeResolver
    findings: tuple[Finding, ...]
    left_out: int = 0

    def includes(self, path: str) -> bool:
        """Whether the file was searched for as an included file."""
        return os.path.abspath(path) in self.resolver.touched

    def includes_any(self, paths: Iterable[str]) -> bool:
        """Whether one of the files was searched for as an included file."""
        return any(self.includes(path) for path in paths)


def load(path: str, settings: Settings | None = None, files: Files | None = None) -> FileSetup:
    """Read the file `path` and find out all about it. `settings` are the command line's."""
    files = files or Files()
    around = surroundings(path, settings or Settings(), files)
    problem = "there is no such file"
    source = None
    try:
        source = files.source(path)
    except Unreadable as error:
        problem = str(error)
    other = ""
    if source is not None and files.view(path) is None:
        other = other_files.what_else(source)
        if not other and around.preferred is None and not around.sources:
            foreign = other_files.for_another_processor(source)
            other = foreign if foreign and dialects.dialect(path, source) == dialects.PLAIN else ""
    if source is None or other:
        message = f"{path} is {other}" if other else f"cannot read {path}: {problem}"
        finding = unreadable_file.RULE.at(Location(path, 0, 0, 0), message)
        choice = TargetChoice(None, "", "the file cannot be read")
        options = Options(None, "", around.settings.defines, around.resolver)
        return FileSetup(None, options, choice, around.settings, (*around.findings, finding))
    return set_up(source, around)


def surroundings(path: str, settings: Settings, files: Files, *, is_default: bool = False) -> Surroundings:
    """Everything about the file that does not depend on its text.

    is_default: the target in the settings, an editor's, gives way to one that the file names.
    """
    file, _ = parts.file_of(path)
    config = configuration.nearest(file, files)
    commands = compile_commands.nearest(file, files)
    sources = []
    findings: list[Finding] = []
    joined = settings
    if config is not None:
        found, place = config.for_file(file)
        joined = joined.over(found)
        findings += config.findings
        if found.target or found.targets:
            name = os.path.basename(config.path)
            sources.append(_source(name, found, f"{config.path} sets it", place))
    if commands is not None:
        findings += commands.findings
        built = commands.for_file(file)
        if built is not None:
            joined = joined.over(msgspec.structs.replace(built, target=None, targets=()))
            if built.target:
                reason = f"{commands.path} assembles the file for it"
                sources.append(_source("compile_commands.json", built, reason, None))
    named = target_choice.by_path(os.path.abspath(file))
    if named is not None:
        sources.append(named)
    preferred = None
    if settings.target or settings.targets:
        who, reason = (
            ("the editor's setting", "the editor's setting names it")
            if is_default
            else ("the option", "the option names it")
        )
        preferred = msgspec.structs.replace(
            _source(who, settings, reason, None), is_default=is_default, states=not is_default
        )
    view = view_of(path, files)
    if view is not None:
        preferred = Source("the code object", view.target, view.mattr, "the code object's header names it", None)
    resolver = IncludeResolver(joined.include_paths, files, set())
    left_out = view.left_out if view is not None else 0
    return Surroundings(path, preferred, tuple(sources), joined, resolver, tuple(findings), left_out)


def set_up(
    source: SourceText, around: Surroundings, hints: TargetHints | None = None, mnemonics: Mnemonics | None = None
) -> FileSetup:
    """The setup of a text in its surroundings. With `hints` or `mnemonics` the text is not searched for them."""
    if hints is None:
        asked = around.preferred.target if around.preferred is not None else None
        hints = TargetHints.of(dialects.lines_for(source, asked))
    choice, findings = target_choice.choose(source.path, around.preferred, hints, around.sources)
    if choice.target is None:
        found = mnemonics or Mnemonics.of(source.lines)
        choice = target_choice.by_mnemonics(found, os.path.abspath(parts.file_of(source.path)[0]), hints)
    mattr = choice.mattr or around.settings.mattr
    message = configuration.unknown_features(mattr)
    if message is not None:
        findings.append(configuration_error.RULE.at(choice.where or Location(source.path, 0, 0, 0), message))
        mattr = configuration.known_features(mattr)
    mattr, shown = _all_features(choice.target, mattr, around, hints)
    choice = msgspec.structs.replace(choice, mattr=mattr, reason=f"{choice.reason}{shown}")
    findings += _other_version(source.path, choice, around.settings.llvm)
    findings += _left_out(source.path, around.left_out)
    defines = _defines(around.settings, hints)
    written_in = dialects.dialect(source.path, source)
    options = Options(
        choice.target,
        versions.with_sp3(choice.mattr) if written_in == dialects.SP3 else choice.mattr,
        defines,
        around.resolver,
        choice.candidates,
        _others(choice, around, hints),
        around.settings.expansion_limit or MAX_EXPANDED_LINES,
    )
    return FileSetup(source, options, choice, around.settings, (*around.findings, *findings), written_in)


def _other_version(path: str, choice: TargetChoice, llvm: int | None) -> Iterator[Finding]:
    """A finding if the setting chooses a version of LLVM that does not have the target."""
    if llvm is not None and choice.target is not None:
        decides = isa.version_of(choice.target, choice.mattr)
        if decides != llvm:
            message = f"the setting `llvm` is {llvm}, which does not have {choice.target}; LLVM {decides} decides"
            yield configuration_error.RULE.at(choice.where or Location(path, 0, 0, 0), message)


def view_of(path: str, files: Files) -> View | None:
    """What the text of a code object stands for; None for any other file, and for one that cannot be read."""
    try:
        return files.view(path)
    except Unreadable:
        return None  # the file's own finding says why


def _left_out(path: str, size: int) -> Iterator[Finding]:
    """A finding if a function is longer than what a view shows."""
    if size:
        message = f"the code is too long to be checked as a whole: the last {size:,} bytes are left out"
        yield expansion_limit.RULE.at(Location(path, 0, 0, 0), message)


def _source(who: str, found: Settings, reason: str, where: Location | None) -> Source:
    """What settings say about the target: the one target, and all targets that the file must assemble for."""
    targets = (found.target, *found.targets) if found.target else found.targets
    target, features = target_choice.target_and_features(targets[0])
    return Source(who, target, found.mattr or features, reason, where, targets=targets if found.targets else ())


def _all_features(target: str | None, mattr: str, around: Surroundings, hints: TargetHints) -> tuple[str, str]:
    """The features with those that follow from the setting `llvm` and from the text, and the text's part in a reason.

    A file without a target is tried with the features that each candidate may have.
    """
    mattr = versions.with_switch(mattr, around.settings.llvm)
    if target is None:
        return mattr, ""
    return compiled.with_features(target, mattr, hints, may_choose=around.settings.llvm is None)


def _others(choice: TargetChoice, around: Surroundings, hints: TargetHints) -> tuple[tuple[str, str], ...]:
    """The further targets of a file with their features: each once, without the one that it is checked for."""
    found = {(choice.target, choice.mattr): None} if choice.target else {}
    for name in choice.targets if choice.target else ():
        target, features = target_choice.target_and_features(name)
        resolved = isa.resolve_target(target)
        if resolved is not None and (features or resolved != choice.target):
            mattr = configuration.known_features(features) or around.settings.mattr
            mattr, _ = _all_features(resolved, configuration.known_features(mattr), around, hints)
            found[resolved, mattr] = None
    return tuple(found)[1:]


def _defines(settings: Settings, hints: TargetHints) -> Mapping[str, int | None]:
    """The defined symbols; those of a RUN line count unless the settings differ."""
    defines: dict[str, int | None] = {}
    for hint in hints.first_of_each_kind():
        defines.update(hint.defines)
    return {**defines, **settings.defines}
