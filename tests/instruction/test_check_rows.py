"""Which forms need which checks."""

from gcn_lsp import isa
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.check_rows import FormHere, Rows, chosen
from gcn_lsp.instruction.model import Problem


def first(bound: Bound) -> Problem | None:
    return None


def second(bound: Bound) -> Problem | None:
    return None


def here(mnemonic: str, target: str = "gfx900", names: str = "") -> FormHere:
    loaded = isa.load_target(target)
    return FormHere(loaded.forms(mnemonic)[0], loaded, frozenset(names.split()))


def test_checks_come_in_the_order_of_the_rows() -> None:
    rows: Rows = (
        (lambda here: here.has("VOP2", "VOP3"), (second,)),
        (lambda here: here.is_for("s_"), (first,)),
        (lambda here: here.takes("src0", "src9"), lambda here: iter((first, second))),
    )
    assert chosen(rows, here("v_add_f32", names="src0")) == (second, first, second)
    assert chosen(rows, here("s_add_u32")) == (first,)


def test_questions_about_a_form() -> None:
    form = here("v_add_f32", names="src0 src1")
    assert form.has("SOP2", "VOP2")
    assert not form.has("SOP2")
    assert form.takes("src1", "sdst")
    assert not form.takes("sdst")
    assert form.is_for("v_sub", "v_add")
    assert form.is_named("V_ADD_F32")
    assert not form.is_named("v_add")
