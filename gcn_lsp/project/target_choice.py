"""Chooses the target of a file: the first source that names one, with a sentence that names the source.

The order: the option; the file's own lines (`target_hints.KINDS`); the editor's setting; the configuration file; the
compile commands; a target's name in the path; the mnemonics, if one target alone has them. Otherwise the file is for
one of several candidates. `program.candidates` takes the one that fits best, of equals the one that a comment at the
head mentions; a product in the path, `mi300x`, leaves fewer.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from gcn_lsp import isa
from gcn_lsp.findings.model import Finding, Related
from gcn_lsp.isa import products
from gcn_lsp.isa.kernels import descriptor
from gcn_lsp.patterns import regex
from gcn_lsp.program import candidates
from gcn_lsp.program.candidates import LIKELY
from gcn_lsp.project import configuration, target_hints
from gcn_lsp.project.mnemonics import Mnemonics
from gcn_lsp.project.target_hints import TargetHints
from gcn_lsp.rules import configuration_error, conflicting_targets, former_target
from gcn_lsp.text import Location


class TargetChoice(msgspec.Struct, frozen=True):
    """The target of a file, None if unknown; features as in `-mattr`; the reason; and its place, if it is in a file.

    mnemonics: those of the file, if it follows from them alone. candidates: the targets that an unknown one can be,
    the most likely first. targets: those that the file is to assemble for, with their features, when there are several;
    it may be among them.
    """

    target: str | None
    mattr: str
    reason: str
    where: Location | None = None
    mnemonics: Mnemonics | None = None
    candidates: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class Source(msgspec.Struct, frozen=True):
    """A source that names a target. `who` begins a sentence: `.amdgcn_target`; `states` is False for mere names.

    targets: all that it names when it names several, `target` being the first. is_default: a preference that gives way
    to what the file says.
    """

    who: str
    target: str
    mattr: str
    reason: str
    where: Location | None
    states: bool = True
    targets: tuple[str, ...] = ()
    is_default: bool = False


# The usual names of the groups of targets that some mnemonics reveal.
FAMILIES = {
    "CDNA": ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx9-4-generic"),
    "RDNA 3": ("gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx11-generic"),
    "gfx12": ("gfx1200", "gfx1201", "gfx12-generic", "gfx1250", "gfx1251", "gfx1252", "gfx12-5-generic"),
}

_NO_HINTS = TargetHints(())

_SEPARATOR = regex(r"[/\\]")
_GFX_NAME = regex(r"(?<![0-9a-z])gfx[0-9]+[0-9a-f]*(?![0-9a-z])", re.IGNORECASE)


def choose(
    path: str, preferred: Source | None, hints: TargetHints, surrounding: tuple[Source, ...]
) -> tuple[TargetChoice, list[Finding]]:
    """The target by `preferred` (option or editor's setting), by the file's lines, or by what surrounds the file.

    The findings report unknown names and disagreements among the sources.
    """
    findings: list[Finding] = []
    sources = []
    of_file = tuple(_of_hints(path, hints))
    if preferred is not None:
        of_file = (*of_file, preferred) if preferred.is_default else (preferred, *of_file)
    for source in (*of_file, *surrounding):
        message = configuration.unknown_target(source.target)
        if message is None:
            sources.append(source)
        elif source.where is not None and source.where.path == path:
            # The assembler reports a directive with an unknown target.
            findings.append(configuration_error.RULE.at(source.where, message))
    if not sources:
        return TargetChoice(None, "", "nothing names a target for this file"), findings
    first = sources[0]
    findings += (_conflict(path, first, other) for other in sources[1:] if _disagree(first, other))
    mattr = first.mattr
    if not mattr:  # features may be given apart from the target, but not by a source for another target
        mattr = next((source.mattr for source in sources if source.mattr and not _disagree(first, source)), "")
    mattr, conflicts = _with_directive(path, mattr, first, of_file)
    findings += conflicts
    if isa.former_name(first.target):
        findings.append(_former(path, first))
    targets = first.targets if first is preferred else _several(sources)
    return TargetChoice(isa.resolve_target(first.target), mattr, first.reason, first.where, targets=targets), findings


def _with_directive(path: str, mattr: str, first: Source, of_file: Iterable[Source]) -> tuple[str, list[Finding]]:
    """The features with those of `.amdgcn_target`, which count more, and where the two differ."""
    findings = []
    directive = next((source for source in of_file if source.who == _WHO["amdgcn_target"]), None)
    if directive is not None and not _disagree(first, directive):
        for own, other in _modes(mattr, directive.mattr):
            mattr = f"{mattr},{own}"
            message = f".amdgcn_target says {own}, which is used, but {first.who} says {other}"
            findings.append(conflicting_targets.RULE.at(directive.where or Location(path, 0, 0, 0), message))
    return mattr, findings


def _modes(mattr: str, directive: str) -> Iterator[tuple[str, str]]:
    """The XNACK and SRAMECC modes of a directive, and those of `mattr`, where they differ: LLVM takes the former."""
    switches = dict.fromkeys(part.strip().lower() for part in mattr.split(","))
    for own in filter(None, directive.split(",")):
        other = ("-" if own[0] == "+" else "+") + own[1:]
        if own[1:] in ("xnack", "sramecc") and other in switches and own not in switches:
            yield own, other


def _several(sources: Sequence[Source]) -> tuple[str, ...]:
    """The targets of the first source that names several; empty if an option or a setting names just one."""
    return next((source.targets for source in sources if source.targets), ())


def _former(path: str, source: Source) -> Finding:
    name, now = isa.former_name(source.target), isa.resolve_target(source.target)
    message = (
        f"LLVM has dropped {name}, an early stepping; the file is checked for {now}, which has the same instructions"
    )
    return former_target.RULE.at(source.where or Location(path, 0, 0, 0), message)


def by_mnemonics(mnemonics: Mnemonics, path: str = "", hints: TargetHints = _NO_HINTS) -> TargetChoice:
    """What the mnemonics say when nothing names a target: the only one that has them, or those that it can be.

    Of several, those that a name in the path means, `rdna4` or `mi300x`, if they have all of the mnemonics. What a
    comment mentions comes before its equals.
    """
    mentioned = {isa.resolve_target(hint.target.lower()): hint for hint in hints.mentioned()}
    mentioned.pop(None, None)
    found = _by_mnemonics(mnemonics, tuple(name for name in mentioned if name is not None))
    hint = mentioned.get(found.candidates[0]) if found.candidates else None
    if hint is not None:
        reason = f"{found.reason}, but a comment mentions {hint.target} (line {hint.line + 1})"
        found = msgspec.structs.replace(found, reason=reason)
    part, meant = _meant(path) if found.target is None else ("", ())
    lacking = _lacking(mnemonics, meant)
    fitting = tuple(name for name in meant if not lacking[name])
    if fitting:
        reason = f"nothing names a target for this file, but the name '{part}' in its path suggests one"
        return TargetChoice(None, "", reason, mnemonics=mnemonics, candidates=fitting)
    return found


def _meant(path: str) -> tuple[str, tuple[str, ...]]:
    """The part of a path, the nearest to the file, with the name of a product or an architecture, and its targets."""
    for part in reversed(_SEPARATOR.split(path)):
        meant = products.meant_by(part)
        if meant:
            return part, tuple(name for name in LIKELY if name in meant) or meant
    return "", ()


def _by_mnemonics(mnemonics: Mnemonics, mentioned: tuple[str, ...]) -> TargetChoice:
    used = {word.decode(): count for word, count in mnemonics.distinctive.items()}
    having = {word: frozenset(isa.targets_with(word)) for word in used}
    known = {word: targets for word, targets in having.items() if targets}  # other words are not mnemonics
    possible = frozenset.intersection(*known.values()) if known else frozenset()
    for family, members in FAMILIES.items():
        if possible and possible <= set(members):
            example = max(known, key=lambda word: (used[word], word))
            found = tuple(member for member in members if member in possible)
            reason = f"only {found[0] if len(found) == 1 else family} has mnemonics such as {example}"
            if len(found) == 1:
                return TargetChoice(found[0], "", reason, mnemonics=mnemonics)
            likely = tuple(name for name in _first(mentioned, LIKELY) if name in possible)
            fitting = _fitting(mnemonics, likely or found)
            return TargetChoice(None, "", reason, mnemonics=mnemonics, candidates=fitting)
    reason = "nothing names a target for this file"
    return TargetChoice(
        None, "", reason, mnemonics=mnemonics, candidates=_fitting(mnemonics, _first(mentioned, LIKELY))
    )


def _first(some: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*some, *others)))


def _fitting(mnemonics: Mnemonics, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `names` that have all mnemonics in the text; if none has, all of them, those that lack the fewest first.

    A file that is for several targets has mnemonics of each, in conditionals.
    """
    lacking = _lacking(mnemonics, names)
    fitting = tuple(name for name in names if not lacking[name])
    return fitting or tuple(sorted(names, key=lambda name: lacking[name]))


def _lacking(mnemonics: Mnemonics, names: tuple[str, ...]) -> dict[str, int]:
    """How many of the mnemonics and the fields of descriptors in the text each target lacks."""
    lacking = dict.fromkeys(names, 0)
    for word in mnemonics.without_macros() if names else ():
        having = _having(word.decode().lower(), names)
        if having:  # else it is a macro of an included file, or a mistake
            for name in names:
                lacking[name] += name not in having
    return lacking


def _having(word: str, names: tuple[str, ...]) -> Collection[str]:
    """The targets that have a mnemonic; those of `names` that have a field of a descriptor."""
    if not word.startswith(descriptor.PREFIX):
        return candidates.having(word)
    field = word.removeprefix(descriptor.PREFIX)
    if not descriptor.differs(field):
        return ()
    return [name for name in names if field in descriptor.directives(isa.load_target(name).features)]


def by_path(path: str) -> Source | None:
    """The target named by the file's name or the nearest folder that names one; two names in one are ambiguous."""
    for part in reversed(_SEPARATOR.split(path)):
        written = (name.lower() for name in _GFX_NAME.findall(part))
        names = {resolved for name in written if (resolved := isa.resolve_target(name)) is not None}
        if len(names) > 1:
            return None
        for name in names:
            return Source(f"the name '{part}'", name, "", f"the name '{part}' in the file's path says so", None, False)
    return None


def target_and_features(name: str) -> tuple[str, str]:
    """A target ID such as `gfx90a:xnack-` as the target and its features as in `-mattr`."""
    target, _, features = name.partition(":")
    return target, target_hints.mattr_of_features(features)


def _of_hints(path: str, hints: TargetHints) -> Iterator[Source]:
    for hint in hints.first_of_each_kind():
        where = Location(path, hint.line, hint.start, hint.end)
        reason = f"{target_hints.REASONS[hint.kind]} (line {hint.line + 1})"
        yield Source(_WHO[hint.kind], hint.target, hint.mattr, reason, where, targets=hint.targets)


_WHO: Mapping[str, str] = {
    "amdgcn_target": ".amdgcn_target",
    "amd_amdgpu_isa": ".amd_amdgpu_isa",
    "amdhsa.target": "the metadata's amdhsa.target",
    "hsa_code_object_isa": ".hsa_code_object_isa",
    "comment": "the comment",
    "run": "the RUN line",
    "asic": "`asic`",
}


def _disagree(first: Source, other: Source) -> bool:
    """Whether they name different targets and neither includes the other's."""
    one, two = isa.resolve_target(first.target), isa.resolve_target(other.target)
    return other.states and one != two and two not in _resolved(first) and one not in _resolved(other)


def _resolved(source: Source) -> frozenset[str | None]:
    return frozenset(isa.resolve_target(name) for name in source.targets)


def _conflict(path: str, first: Source, other: Source) -> Finding:
    """The finding, where the file can be fixed; else at the unused target; else at the start."""
    here = [source for source in (other, first) if source.where is not None and source.where.path == path]
    where = here[0].where if here else None
    message = f"{other.who} says {other.target}, but {first.who} says {first.target}, which is used"
    related = tuple(
        Related(source.where, f"{source.who} says {source.target}")
        for source in (first, other)
        if source.where is not None and source.where != where
    )
    return conflicting_targets.RULE.at(where or Location(path, 0, 0, 0), message, related)
