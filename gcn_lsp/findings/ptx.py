"""Finds PTX, NVIDIA's assembly, in the inline assembly that is compiled for AMD GPUs."""

import re
from collections.abc import Iterator, Mapping

from gcn_lsp.findings.model import Finding
from gcn_lsp.findings.rule import Rule
from gcn_lsp.isa.tables import ptx
from gcn_lsp.text import Location
from gcn_lsp.views.inline import conditions, template
from gcn_lsp.views.inline.statement import Statement
from gcn_lsp.views.inline.targets import Targets

_STATEMENT = re.compile(r"[^;{}\n]+")


def check(rules: Mapping[str, Rule], path: str, statement: Statement, targets: Targets) -> Iterator[Finding]:
    """A finding at the first instruction of PTX, if nothing but AMD GPUs can be meant."""
    target = targets.named[0][0] if targets.named else targets.candidates[0]
    if not statement.is_complete or conditions.holds(statement.guard, target) is not True:
        return
    text = statement.template.decode("latin-1")
    for piece in _STATEMENT.finditer(text):
        written = piece[0].lstrip()
        found = ptx.instruction(f"{written}{text[piece.end() : piece.end() + 1]}")
        if found is not None:
            start = piece.end() - len(written) + found.start(1)
            span = template.of(statement).span(start, start + len(found[1]))
            instead = ptx.instead(written[found.start(1) :])
            message = f"{found[1]} is PTX, which no AMD GPU has"
            where = Location(path, span.line, span.start, span.end)
            yield rules["ptx-assembly"].at(
                where, f"{message}; AMD has {instead}" if instead else f"{message}; write it in C++"
            )
            return
