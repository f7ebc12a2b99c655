"""Loading ahead works with and without a target."""

from gcn_lsp import isa
from gcn_lsp.flow.steps import finish
from gcn_lsp.ide.preload import preload, preload_objects, preload_tables


def test_preload() -> None:
    preload_tables()
    assert len(list(preload_objects())) > 1  # steps, between which there is time for a request
    finish(preload(None))
    finish(preload(isa.load_target("gfx90a")))
