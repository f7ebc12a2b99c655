"""The made kernel has no findings and the requested length."""

from gcn_lsp import rules
from gcn_lsp.program import program
from gcn_lsp.text import SourceText
from tests.benchmarks.kernel import kernel


def test_the_made_kernel_is_right() -> None:
    text = kernel(600)
    built = program.build(SourceText.from_bytes("kernel.s", text.encode()), program.Options("gfx90a"))
    assert rules.check(built) == []
    assert 600 <= text.count("\n") < 700
