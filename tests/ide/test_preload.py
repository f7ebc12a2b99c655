"""Loading ahead works with and without a target."""

from gcn_lsp import isa
from gcn_lsp.ide.preload import preload


def test_preload() -> None:
    preload(None)
    preload(isa.load_target("gfx90a"))
