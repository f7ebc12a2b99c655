"""Names of processors."""

from gcn_lsp import isa
from gcn_lsp.isa import processors


def test_generations_come_oldest_first() -> None:
    found = processors.by_generation(["gfx1250", "gfx900", "gfx90a", "gfx9-generic", "gfx1200", "gfx1201"])
    assert found == {"gfx9": ("gfx9-generic", "gfx900", "gfx90a"), "gfx12": ("gfx1200", "gfx1201", "gfx1250")}


def test_words_of_a_name() -> None:
    assert processors.words("gfx90a") == {"gfx90a", "gfx90", "gfx9", "gfx6+", "gfx7+", "gfx8+", "gfx9+"}
    assert processors.words("gfx9-4-generic") - processors.words("gfx942") == {"gfx9-4-generic"}


def test_a_target_has_the_words_of_its_name_whatever_is_switched() -> None:
    assert isa.load_target("gfx90a", "+xnack").features >= processors.words("gfx90a")
