"""Explains a rejected statement by other targets: which have the mnemonic, and what it is called here."""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction.match import Candidates, TargetContext
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.isa.processors import age
from gcn_lsp.isa.tables import other_names, spelling
from gcn_lsp.patterns import regex
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import message

_SHOWN_TARGETS = 6
_TRIED_TARGETS = 2  # loading one takes tens of milliseconds
_HALVES_SWITCH = "real-true16"
_MASK = regex(rb"vcc|exec|\bs\[?[0-9]", re.IGNORECASE)  # operands that may be the mask of a wave
_HALF_FORM = regex(r"_(t16|fake16)_", re.IGNORECASE)


class Trial(Protocol):
    """A rejected statement with which variants can be tried."""

    def takes(self, word: str, target: isa.Target | None = None) -> bool:
        """Whether the mnemonic `word` (with its suffix) takes the operands, here or on `target`."""

    def takes_text(self, start: int, end: int, text: str) -> bool:
        """Whether the line is legal with `text` in place of its bytes `start` to `end`."""


def no_candidate(context: TargetContext, candidates: Candidates, statement: Statement, trial: Trial) -> Problem:
    """Why the word is not an instruction of the target."""
    start, end = statement.name_start, statement.name_end
    target, base = context.target, candidates.base
    if candidates.has_mnemonic:
        renamed = _renamed(target, candidates, statement, trial)
        if renamed is not None:
            return renamed
        others = [suffix for suffix in ("_e32", "_e64", "_sdwa", "_dpp") if context.candidates(base + suffix).matchers]
        has = f"; it has {' and '.join(others)}" if others else ""
        message = f"`{base}` has no {candidates.suffix} encoding on {target.name}{has}"
        return Problem("unsupported-on-target", start, end, message)
    elsewhere = isa.targets_with(base) or isa.targets_with(candidates.word)
    if elsewhere:
        return _known_elsewhere(target, candidates, statement, elsewhere, trial)
    return _unknown(context, candidates, statement, trial)


def _unknown(context: TargetContext, candidates: Candidates, statement: Statement, trial: Trial) -> Problem:
    """The problem of a word that no target has: what the assembler calls it, or the nearest names."""
    start, end, target, base = statement.name_start, statement.name_end, context.target, candidates.base
    message = f"`{statement.name}` is not an instruction of {target.name}"
    manual = other_names.in_manual(base, target)
    if manual is not None:
        near, is_certain = manual.names, manual.same
    else:
        near = _nearest(context, base)
        near = tuple(name for name in near if trial.takes(name + candidates.suffix)) or near
        near = tuple(name for name in near if name.replace("_", "") == base.replace("_", "")) or near
        is_certain = len(near) == 1 and _is_only(near[0], base, context.target, candidates.suffix, trial)
    if not near:
        return Problem("unknown-mnemonic", start, end, message)
    names = [name + candidates.suffix for name in near]
    fixes = tuple(LineFix(f"Change to `{name}`", start, end, name, is_certain) for name in names)
    asked = " or ".join(f"`{name}`" for name in names)
    if manual is None:
        message = f"{message}; did you mean {asked}?"
    else:
        message = f"{message}; {f'it is called {asked}' if manual.same else f'did you mean {asked}'}: {manual.why}"
    return Problem("unknown-mnemonic", start, end, message, fixes)


def _is_only(near: str, base: str, target: isa.Target, suffix: str, trial: Trial) -> bool:
    """Whether `base` can mean nothing but `near`: the rest is a slip, or the operands leave one size."""
    if spelling.only_misspelt(base, near):
        return True
    sizes = spelling.of_other_sizes(base, near, target)
    return near in sizes and sum(trial.takes(name + suffix) for name in sizes) == 1


def _known_elsewhere(
    target: isa.Target, candidates: Candidates, statement: Statement, elsewhere: tuple[str, ...], trial: Trial
) -> Problem:
    """The problem of a mnemonic that only other targets have: what to write here, and which targets have it."""
    start, end = statement.name_start, statement.name_end
    base, suffix = candidates.base, candidates.suffix
    here = [name for part in other_names.counterparts(base, target) for name in part.names]
    if target.name in target.tables.targets_with(base):  # with its default features
        switch = next((part for part in _switches(target) if _without(target, part).forms(base)), target.mattr)
        return Problem("unsupported-on-target", start, end, f"{target.name} has no `{base}` with `{switch}`")
    if target.may_have_true16 and not target.has_true16:
        change = f"+{_HALVES_SWITCH}"
        if isa.target_with((base,), target.name, ",".join((*_switches(target), change))).forms(base):
            message = f"{target.name} has `{base}` only with `{change}`: registers of 16 bits are off"
            return Problem("unsupported-on-target", start, end, message)
    if target.name in elsewhere:
        message = f"LLVM {target.llvm} does not have `{base}` on {target.name}; a later version does (setting `llvm`)"
        return Problem("unsupported-on-target", start, end, message)
    having = _targets(elsewhere, target)
    renamed = next((name for name in here if trial.takes(name + suffix)), "")
    if renamed or here:
        called = renamed or here[0]
        message = f"{target.name} has no `{base}`; here it is called `{called}`; {having}"
        fixes = (LineFix(f"Change to `{called}{suffix}`", start, end, called + suffix),) if renamed else ()
        return Problem("unsupported-on-target", start, end, message, fixes)
    instead = other_names.replacement(base, target)
    message = f"{target.name} has no `{base}`; {f'{instead}; ' if instead else ''}{having}"
    similar = other_names.respelled(base)
    fixes = ()
    if similar and trial.takes(similar + suffix):
        fixes = (LineFix(f"Change to `{similar}{suffix}`", start, end, similar + suffix, is_certain=False),)
    return Problem("unsupported-on-target", start, end, message, fixes)


def with_other_meaning(
    target: isa.Target, candidates: Candidates, statement: Statement, problems: tuple[Problem, ...], trial: Trial
) -> tuple[Problem, ...]:
    """`problems` of operands, with what the line is elsewhere: another instruction, or whole registers."""
    renamed = _renamed(target, candidates, statement, trial)
    if renamed is not None:
        return (renamed,)
    base = candidates.base
    for part in other_names.counterparts(base, target):
        nearest = (isa.load_target(name) for name in _by_distance(part.targets, target)[:_TRIED_TARGETS])
        if any(trial.takes(candidates.word, other) for other in nearest):
            where = _some(part.targets, target)
            return _continued(problems, f"on {where} `{base}` is another instruction, which takes these operands")
    for change, why in _changes(target, candidates, statement):
        if trial.takes(candidates.word, isa.load_target(target.name, ",".join((*_switches(target), change)))):
            return _continued(problems, why)
    return problems


def _renamed(target: isa.Target, candidates: Candidates, statement: Statement, trial: Trial) -> "Problem | None":
    """The problem of a mnemonic that means another instruction here; None if no name here takes the operands."""
    base, suffix = candidates.base, candidates.suffix
    for part in other_names.counterparts(base, target):
        renamed = next((name for name in part.names if trial.takes(name + suffix)), "")
        if renamed:
            start, end = statement.name_start, statement.name_end
            message = (
                f"`{base}` with these operands is `{renamed}` on {target.name}, where `{base}` is another instruction; "
                f"it is called `{base}` on {_some(part.targets, target)}"
            )
            fix = LineFix(f"Change to `{renamed}{suffix}`", start, end, renamed + suffix)
            return Problem("unsupported-on-target", start, end, message, (fix,))
    return None


def _changes(target: isa.Target, candidates: Candidates, statement: Statement) -> Iterator[tuple[str, str]]:
    """Features that may make the line legal if switched, and what to say if they do."""
    if target.may_have_true16 and any(_HALF_FORM.search(matcher.form.name) for matcher in candidates.matchers):
        on = target.has_true16
        change = f"{'-' if on else '+'}{_HALVES_SWITCH}"
        yield change, f"registers of 16 bits are {'on' if on else 'off'}; with `{change}` the line is legal"
    if target.has_wave32 and _MASK.search(statement.line, statement.start, statement.end):
        change = "-wavefrontsize32,+wavefrontsize64" if target.wavefront_size == 32 else "+wavefrontsize32"
        is_small = target.wavefront_size == 32
        field = "" if is_small and target.assumes_one_wave_size else f"`{_WAVE_FIELD} {int(not is_small)}` or "
        other = f"the line is for waves of {64 if is_small else 32}, which {field}`{change}` sets"
        yield change, f"waves have {target.wavefront_size} lanes; {other}"


_WAVE_FIELD = ".amdhsa_wavefront_size32"  # of a kernel's descriptor: the code of the file is for that size


def _switches(target: isa.Target) -> list[str]:
    return [part.strip() for part in target.mattr.split(",") if part.strip()]


def _without(target: isa.Target, switch: str) -> isa.Target:
    return isa.load_target(target.name, ",".join(part for part in _switches(target) if part != switch))


def _continued(problems: tuple[Problem, ...], more: str) -> tuple[Problem, ...]:
    first, *rest = problems
    return (msgspec.structs.replace(first, said=message("{}; {}", first.said, more)), *rest)


# -- lists of targets ----------------------------------------------------------------------------------------------


def _targets(having: Iterable[str], target: isa.Target) -> str:
    """The targets that have something, in words: those of the nearest generations first."""
    plain = _by_distance(having, target)
    shown = ", ".join(plain[:_SHOWN_TARGETS])
    more = f" and {len(plain) - _SHOWN_TARGETS} more have it" if len(plain) > _SHOWN_TARGETS else ""
    return shown + (more or (" has it" if len(plain) == 1 else " have it"))


def _some(having: Iterable[str], target: isa.Target) -> str:
    plain = _by_distance(having, target)
    more = " and others" if len(plain) > _SHOWN_TARGETS else ""
    return ", ".join(plain[:_SHOWN_TARGETS]) + more


def _by_distance(having: Iterable[str], target: isa.Target) -> list[str]:
    """The targets by the distance of their generation to this one's; generic ones only if there are no others."""
    known = sorted(having)
    plain = [name for name in known if "generic" not in name] or known
    own, _ = age(target.name)
    return sorted(plain, key=lambda name: abs(age(name)[0] - own))


def _nearest(context: TargetContext, base: str) -> tuple[str, ...]:
    found = context.nearest.get(base)
    if found is None:
        found = context.nearest.keep(base, tuple(isa.nearest_mnemonics(base, context.target, 2)))
    return found
