"""Finds the form of a statement: tries candidates in LLVM's order, operands against slots; the first match wins.

An operand that does not fit an optional slot is tried in the next slot, so keywords must be in the form's order.
Everything about a form that does not depend on the operands is computed once for each target.
"""

from collections.abc import Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import bind, slots
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.registers import RegisterNames
from gcn_lsp.instruction.slots import Judge, Rule
from gcn_lsp.isa import versions
from gcn_lsp.isa.modifiers import cache_policy, dpp

VARIANTS = ("Default", "VOP3", "SDWA", "SDWA9", "DPP", "VOP3_DPP")
"""The order in which LLVM tries variants when no suffix names one."""

_POLICIES = frozenset(("CPol", "CPol_GLC", "CPol_NonGLC"))
_LIMIT = 4096
_MARKS = ("done", "row_en", "lds", "compr", "vm")

# Suffix, variants it selects, flags that a form must have and must not have.
_SUFFIXES: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("_e64_dpp", ("VOP3_DPP",), "VOP3", ""),
    ("_e64", ("VOP3",), "VOP3", ""),
    ("_e32", ("Default",), "", "VOP3"),
    ("_dpp", ("DPP",), "DPP", ""),
    ("_sdwa", ("SDWA", "SDWA9"), "SDWA", ""),
)


class Step(msgspec.Struct, frozen=True, gc=False):
    """A slot of a form and the rule for its operand. number: the rule's."""

    slot: isa.Slot
    rule: Rule
    number: int
    optional: bool


Shapes = tuple[tuple[Step, ...], ...]
"""The slots of several forms."""


class Matcher(msgspec.Struct, frozen=True):
    """A form ready for matching. required: the least number of operands."""

    form: isa.Form
    steps: tuple[Step, ...]
    required: int


class Candidates(msgspec.Struct, frozen=True):
    """The possible meanings of a statement's first word on the target.

    base: the mnemonic without suffix. suffix: `_e32`, `_dpp`, ... or nothing. matchers: in the order they are tried.
    has_mnemonic: some form of the base exists, whatever the suffix. keywords: bare words, with the first position where
    each may be written. whole, cache, has_format, has_attribute, has_address_list: which operands are written in parts.
    marks: words that say that a mark (`done`) is absent, and have no effect.
    counts: the operand is a list of counts, which must end with one.
    float_places, sext_places: positions where source modifiers are read; number_places: where on numbers too.
    expression_places: positions where a bare control of DPP is read as a source. found: matches by operand shapes.
    """

    word: str
    base: str
    suffix: str
    matchers: tuple[Matcher, ...]
    has_mnemonic: bool
    keywords: dict[str, int]
    whole: bool
    counts: bool
    cache: Mapping[str, int] | None
    has_format: bool
    has_attribute: bool
    has_address_list: bool
    marks: frozenset[str]
    reshapes: bool
    float_places: frozenset[int]
    number_places: frozenset[int]
    sext_places: frozenset[int]
    expression_places: frozenset[int]
    found: ByValue[tuple[object, ...], "Match | None"]


class Match(msgspec.Struct, frozen=True):
    """A form and, for each of its slots, the index of the operand in it or -1.

    otherwise: the next form that takes the operands, for a plan that may decline them by their values.
    """

    plan: bind.Plan
    places: tuple[int, ...]
    otherwise: "Match | None" = None


class TargetContext:
    """Everything that is computed once for a target."""

    def __init__(self, target: isa.Target) -> None:
        self.target = target
        self.names = RegisterNames(target)
        self.judge = Judge(target)
        self._candidates: ByValue[str, Candidates] = ByValue(_LIMIT)
        self._steps: dict[int, tuple[tuple[isa.Slot, ...], tuple[Step, ...]]] = {}
        self._plans: dict[int, bind.Plan] = {}
        self._kept: list[Matcher] = []
        self.nearest: ByValue[str, tuple[str, ...]] = ByValue(_LIMIT)
        self._matchers: dict[str, Matcher] = {}
        self._marks = _MARKS if target.has(versions.NEGATED_MARKS) else ()

    def candidates(self, word: str) -> Candidates:
        """The candidates for `word` (in lower case)."""
        found = self._candidates.get(word)
        if found is None:
            found = self._candidates.keep(word, self._find(word))
        return found

    def _find(self, word: str) -> Candidates:
        base, suffix, variants, wanted, unwanted = _without_suffix(word)
        forms = self.target.forms(base)
        chosen = (form for variant in variants for form in forms if form.variant == variant)
        matchers = tuple(self._matcher(form) for form in chosen if _has_flags(form, wanted, unwanted))
        shapes = tuple({id(steps): steps for steps in (self._steps_of(form) for form in forms)}.values())
        keywords = _keywords(shapes)
        kinds = {step.slot.kind.match for steps in shapes for step in steps if step.slot.kind is not None}
        bits = cache_policy.vocabulary(self.target.features, base.startswith("s_"))
        is_image = any(form.mnemonic.startswith("image_") for form in forms[:1])  # by an alias, too
        has_address_list = is_image and self.target.has_address_lists
        if kinds & _POLICIES:
            cache: Mapping[str, int] | None = bits
            place = _first_place(shapes, _POLICIES)
            keywords.update({name: place for flag in bits for name in (flag, "no" + flag)})
        else:
            cache = None
        if "ExpTgt" in kinds:
            keywords["null"] = 0  # an export target here, a register elsewhere
        number_places = _modifier_places(shapes, slots.FLOAT_MODIFIERS, with_numbers=True)
        return Candidates(
            word=word,
            base=base,
            suffix=suffix,
            matchers=matchers,
            has_mnemonic=bool(forms),
            keywords=keywords,
            whole=bool(kinds & {"SWaitCnt", "SDelayALU", "DepCtr"}),
            counts=bool(kinds & {"SWaitCnt", "DepCtr"}),
            cache=cache,
            has_format="FORMAT" in kinds,
            has_attribute="InterpAttr" in kinds,
            has_address_list=has_address_list,
            marks=frozenset("no" + mark for mark in self._marks if mark in keywords),
            reshapes=bool(kinds & {*_POLICIES, "FORMAT", "InterpAttr"}),
            float_places=_modifier_places(shapes, slots.FLOAT_MODIFIERS),
            number_places=number_places,
            sext_places=_modifier_places(shapes, slots.SEXT_MODIFIER),
            expression_places=number_places if keywords.keys() & dpp.BARE else frozenset(),
            found=ByValue(_LIMIT),
        )

    def _matcher(self, form: isa.Form) -> Matcher:
        found = self._matchers.get(form.name) if not form.is_alias else None
        if found is None:
            steps = self._steps_of(form)
            found = Matcher(form, steps, sum(not step.optional for step in steps))
            if not form.is_alias:
                self._matchers[form.name] = found
        return found

    def _steps_of(self, form: isa.Form) -> tuple[Step, ...]:
        """The form's slots as steps; forms of one shape share their slots and so their steps."""
        key = id(form.slots)
        known = self._steps.get(key)
        if known is None or known[0] is not form.slots:
            known = self._steps[key] = form.slots, tuple(self._step(slot) for slot in form.slots)
        return known[1]

    def _step(self, slot: isa.Slot) -> Step:
        rule = slots.rule_for(slot, self.target)
        return Step(slot, rule, self.judge.number(rule), not slot.required)

    def plan(self, matcher: Matcher) -> bind.Plan:
        """How to bind and encode the form; made when it is first matched."""
        found = self._plans.get(id(matcher))
        if found is None:
            rules = tuple(step.rule for step in matcher.steps)
            found = self._plans[id(matcher)] = bind.plan_for(matcher.form, rules, self.target)
            self._kept.append(matcher)  # so that its id is not reused
        return found

    def match(self, candidates: Candidates, arguments: list[Argument]) -> Match | None:
        """The first candidate that takes the operands."""
        shapes = tuple([argument.shape for argument in arguments])
        try:
            return candidates.found[shapes]
        except KeyError:
            pass
        return candidates.found.keep(shapes, self._first(candidates.matchers, arguments))

    def _first(self, matchers: tuple[Matcher, ...], arguments: list[Argument]) -> Match | None:
        for index, matcher in enumerate(matchers):
            places = self.places(matcher, arguments)
            if places is not None:
                plan = self.plan(matcher)
                otherwise = self._first(matchers[index + 1 :], arguments) if plan.declines is not None else None
                return Match(plan, places, otherwise)
        return None

    def places(self, matcher: Matcher, arguments: list[Argument]) -> tuple[int, ...] | None:
        """For each slot the operand in it or -1; None when the candidate does not take the operands."""
        count = len(arguments)
        steps = matcher.steps
        if not matcher.required <= count <= len(steps):
            return None
        memo = self.judge.memo
        places: list[int] = []
        index = 0
        for step in steps:
            if index < count:
                argument = arguments[index]
                answer = memo.get((step.number, argument.shape))
                if answer is None:
                    answer = self.judge.takes(step.number, step.rule, argument)
                if answer:
                    places.append(index)
                    index += 1
                    continue
            if not step.optional:
                return None
            places.append(-1)
        return tuple(places) if index == count else None


def _modifier_places(shapes: Shapes, allowed: str, with_numbers: bool = False) -> frozenset[int]:
    """The operand positions where some form of a mnemonic reads source modifiers of one kind."""
    return frozenset(
        index
        for steps in shapes
        for index, step in enumerate(steps)
        if step.slot.modifiers is not None
        and step.rule.source_modifiers == allowed
        and (not with_numbers or "Imm" in step.slot.modifiers.parser)
    )


def _without_suffix(word: str) -> tuple[str, str, tuple[str, ...], str, str]:
    """A mnemonic, its suffix, the variants that this selects, and the flags that forms must and must not have."""
    for ending, selected, need, avoid in _SUFFIXES:
        if word.endswith(ending):
            return word[: -len(ending)], ending, selected, need, avoid
    return word, "", VARIANTS, "", ""


def _has_flags(form: isa.Form, wanted: str, unwanted: str) -> bool:
    return (not wanted or wanted in form.flags) and not (unwanted and unwanted in form.flags)


def _keywords(shapes: Shapes) -> dict[str, int]:
    """Bare words that some slot takes, with the first position at which each may be written."""
    found: dict[str, int] = {}
    for steps in shapes:
        optional = 0
        for index, step in enumerate(steps):
            for name in step.rule.names or ():
                if not name.endswith(":"):
                    found[name] = min(found.get(name, index), index - optional)
            optional += step.optional
    return found


def _first_place(shapes: Shapes, classes: frozenset[str]) -> int:
    """The first position at which an operand of one of the classes may be written."""
    places = []
    for steps in shapes:
        optional = 0
        for index, step in enumerate(steps):
            if step.slot.kind is not None and step.slot.kind.match in classes:
                places.append(index - optional)
            optional += step.optional
    return min(places)
