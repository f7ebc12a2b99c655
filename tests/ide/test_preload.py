"""Loading ahead works with and without a target."""

from gcn_lsp import isa
from gcn_lsp.ide.preload import preload, preload_tables


def test_preload() -> None:
    preload_tables()
    preload(None)
    preload(isa.load_target("gfx90a"))
