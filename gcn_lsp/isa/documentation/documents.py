"""Which document of AMD describes the instructions of a target: where to read on, and to check what an entry says."""

from gcn_lsp.isa.documentation import scope

# Conditions of `scope.py`; one of them covers each target that AMD has described.
_ROWS: tuple[tuple[str, str], ...] = (
    ("gfx6", "Southern Islands Series Instruction Set Architecture"),
    ("gfx7", "Sea Islands Series Instruction Set Architecture"),
    ("gfx8", "Graphics Core Next Architecture, Generation 3"),
    ("gfx906", '"Vega" 7nm Instruction Set Architecture'),
    ("gfx908", 'AMD Instinct MI100 "CDNA" Instruction Set Architecture'),
    ("gfx90a", 'AMD Instinct MI200 "CDNA2" Instruction Set Architecture'),
    ("gfx94", 'AMD Instinct MI300 "CDNA3" Instruction Set Architecture'),
    ("gfx95", 'AMD Instinct "CDNA4" Instruction Set Architecture'),
    ("gfx9", '"Vega" Instruction Set Architecture'),
    ("gfx101", '"RDNA 1.0" Instruction Set Architecture'),
    ("gfx103", '"RDNA 2" Instruction Set Architecture'),
    ("gfx115", '"RDNA3.5" Instruction Set Architecture'),
    ("gfx11", '"RDNA3" Instruction Set Architecture'),
    ("gfx120", '"RDNA4" Instruction Set Architecture'),
)


def document(target: str) -> str:
    """The title of the target's document; empty where AMD has published none."""
    return next((title for condition, title in _ROWS if scope.covers(condition, target)), "")
