"""The page about a rule or a mnemonic, for an editor that shows it in a window of its own."""

from gcn_lsp import isa
from gcn_lsp.ide import markdown, mnemonics
from gcn_lsp.ide.describe import form as forms
from gcn_lsp.ide.describe import instruction
from gcn_lsp.isa import documentation
from gcn_lsp.rules import pages
from gcn_lsp.rules.registry import RULES


def explain(name: str, target: "isa.Target | None") -> str | None:
    """The page as Markdown, of a mnemonic as the target has it; None when nothing has that name."""
    if name in RULES:
        return pages.markdown(RULES[name].page)
    if documentation.entry(name) is None and not mnemonics.targets_with(name):
        return None
    return markdown.join(f"# {name}", instruction.documentation_of(name, target, None), _operands(name, target))


def _operands(name: str, target: "isa.Target | None") -> str:
    """What the operands in the syntax take."""
    taken = forms.operands(mnemonics.candidates(target, name), target) if target is not None else {}
    return markdown.table(("operand", "takes"), [(markdown.code(operand), text) for operand, text in taken.items()])
