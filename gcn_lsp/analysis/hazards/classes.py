"""Applies the classes of hazard rows to instructions: once for a form, the rest for its operands."""

from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.hazards.model import Kind, Test, may_fit, tests
from gcn_lsp.isa.schema import Form


def may_hold(kind: Kind, form: Form, slots: frozenset[str]) -> bool:
    """Whether operands in these slots may be what a class, which fits the form, says about them."""
    if any(test.slot and test.slot not in slots and test.default is None for test in kind.tests):
        return False
    return not kind.any_of or any(may_fit(one, form) and may_hold(one, form, slots) for one in kind.any_of)


def undecided(kind: Kind, form: Form) -> "Kind | None":
    """What operands still decide of a class that instructions of `form` may be of; None if they are all of it."""
    if not tests(kind):
        return None
    possible = [one for one in kind.any_of if may_fit(one, form)]
    any_of = tuple(left for one in possible if (left := undecided(one, form)) is not None)
    if len(any_of) < len(possible):
        any_of = ()  # one of them fits whatever the operands are
    but_not = tuple(left for one in kind.but_not if may_fit(one, form) and (left := undecided(one, form)) is not None)
    if not (kind.tests or any_of or but_not):
        return None
    if len(any_of) == 1 and not (kind.tests or but_not):
        return any_of[0]
    return Kind(kind.name, tests=kind.tests, any_of=any_of, but_not=but_not)


def fits(left: Kind, operands: tuple[Operand, ...]) -> bool:
    """Whether operands are of a class, of which `undecided` has removed what depends on the form."""
    for test in left.tests:
        if not _holds(test, operands):
            return False
    return (not left.any_of or _fits_one(left.any_of, operands)) and not (
        left.but_not and _fits_one(left.but_not, operands)
    )


def _fits_one(classes: tuple[Kind, ...], operands: tuple[Operand, ...]) -> bool:
    for one in classes:  # noqa: SIM110 (twice as fast as a generator, and the time goes here)
        if fits(one, operands):
            return True
    return False


def _holds(test: Test, operands: tuple[Operand, ...]) -> bool:
    slot = test.slot
    if test.among:
        values = (each.value for each in operands if (not slot or each.slot == slot) and isinstance(each.value, int))
        value = next(values, test.default)
        return value is not None and value & test.mask in test.among
    for operand in operands:
        if (
            (not slot or operand.slot == slot)
            and (not test.files or operand.file in test.files)
            and (not test.kinds or operand.kind in test.kinds)
            and (not test.over or operand.count > test.over)
            and (test.below is None or (isinstance(operand.value, int) and operand.value < test.below))
            and (not test.nonzero or bool(operand.value))
        ):
            return True
    return False
