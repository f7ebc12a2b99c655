import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.special import exports


@pytest.mark.parametrize(
    ("cpu", "name", "code"),
    [
        ("gfx900", "mrt7", 7),
        ("gfx900", "mrtz", 8),
        ("gfx900", "null", 9),
        ("gfx900", "pos3", 15),
        ("gfx900", "param31", 63),
    ],
)
def test_export_targets(cpu: str, name: str, code: int) -> None:
    assert exports.code(name, isa.load_target(cpu)) == (code, True)


def test_export_targets_of_other_generations() -> None:
    assert exports.code("pos4", isa.load_target("gfx900")) == (None, True)
    assert exports.code("mrt8", isa.load_target("gfx900")) == (None, False)
