"""Compares what is said of a text when its chunks end at different lines.

`python -m tests.program.chunk_ends --seconds 600 --seed 1` edits the kernels of `tests.server.random_edits` at random,
without a server, and prints each difference; `--keep FOLDER` keeps the texts. It exits with 1 when there is one.
"""

import argparse
import difflib
import hashlib
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from gcn_lsp import rules
from gcn_lsp.ide import (
    call_hierarchy,
    code_lens,
    completion,
    control_flow,
    definition,
    document_highlight,
    document_symbol,
    encoded,
    expand,
    folding_range,
    formatting,
    hover,
    in_flight,
    inlay_hint,
    references,
    reinsert_waits,
    report,
    selection_range,
    semantic_tokens,
    signature_help,
)
from gcn_lsp.ide.completion_list import Completions
from gcn_lsp.program import incremental, program
from gcn_lsp.program.program import Program
from gcn_lsp.text import SourceText
from tests.server import random_edits

WHOLE = 1_000_000  # lines, so that the text is one chunk
SIZES = (2, 20, 64, WHOLE)

Answers = dict[str, str]
_AT_PLACES: dict[str, Callable[[Program, int, int], object]] = {
    "hover": hover.hover,
    "definition": definition.definition,
    "references": references.references,
    "highlights": document_highlight.document_highlight,
    "selection": selection_range.selection_range,
    "signatures": signature_help.signature_help,
    "completion": lambda found, line, column: _entries(completion.complete(found, line, column)),
    "callable": call_hierarchy.prepare,
}


def _entries(found: "Completions | None") -> object:
    """The entries of a list in the order in which an editor shows them."""
    return found and sorted(found.items, key=lambda item: (item.sort or item.label, item.label))


def built(text: str, target: str, size: int, previous: "Program | None" = None) -> Program:
    """A text as a program with chunks of `size` lines."""
    options = program.Options(target=target)
    with patch.multiple(incremental, chunk_lines=lambda _: size, _GROWN=1):
        return program.build(SourceText.from_bytes("k.s", text.encode()), options, previous)


def answers(found: Program, places: Sequence[tuple[int, int]]) -> Answers:
    """What is said of a program, and of places in it: lines and columns."""
    findings = rules.check(found)
    said: dict[str, object] = {
        "findings": "\n".join(map(str, findings)),
        "report": report.text(found, findings, ""),
        "lenses": code_lens.code_lenses(found),
        "symbols": document_symbol.document_symbols(found),
        "waits": reinsert_waits.edits(found.source, reinsert_waits.rewritten(found)),
    }
    last = len(found.source.lines) - 1
    said |= {
        "inlay hints": inlay_hint.inlay_hints(found, 0, last),
        "in flight": in_flight.hints(found, 0, last),
        "folding": folding_range.folding_ranges(found),
        "tokens": semantic_tokens.semantic_tokens(found, "utf-8").numbers(),
        "expansion": expand.expand(found),
        "encoded": encoded.encoded(found),
        "formatting": formatting.format_document(found, formatting.Style()),
    }
    for line, column in places:
        for name, ask in _AT_PLACES.items():
            said[f"{name} at {line + 1}:{column + 1}"] = ask(found, line, column)
    said |= {f"flow of {name}": control_flow.control_flow(found, name) for name in control_flow.kernels(found)}
    return {key: str(value) for key, value in said.items()}


def differences(
    text: str,
    target: str,
    sizes: Sequence[int] = SIZES,
    places: Sequence[tuple[int, int]] = (),
    edited: "Program | None" = None,
) -> Iterator[str]:
    """Each difference between the answers for two sizes of chunks, and for an edited program if there is one."""
    programs = {f"chunks of {size} lines": built(text, target, size) for size in sizes}
    if edited is not None:
        programs["edited"] = edited
    first, *others = ((name, answers(found, places)) for name, found in programs.items())
    for name, other in others:
        for key in sorted(first[1].keys() | other.keys()):
            one, another = (each.get(key, "").replace("), ", "),\n").split("\n") for each in (first[1], other))
            if one != another:
                lines = [line[:300] for line in difflib.unified_diff(one, another, first[0], name, n=0, lineterm="")]
                yield "\n  ".join((key, *lines[:8]))


def run(kernel: random_edits.Kernel, chooser: random.Random) -> Iterator[tuple[str, str]]:
    """Texts that edits make of a kernel or a part of it, each with a difference or with an empty text for none."""
    text = random_edits.Text(kernel.text)
    if chooser.random() < 0.5 and len(text.lines) > 200:
        first = chooser.randrange(len(text.lines) - 100)
        text = random_edits.Text("\n".join(text.lines[first : first + chooser.choice((80, 150, 300))]))
    words = kernel.name.split(".")
    target = kernel.settings.get("target") or (words[-2] if len(words) > 2 else "gfx900")
    edited: Program | None = None
    for _ in range(6):
        for _ in range(chooser.choice((1, 3, 10, 30))):
            text.apply(random_edits.some_change(chooser, text))
        lines = [chooser.randrange(len(text.lines)) for _ in range(5)]
        places = [(line, chooser.randrange(len(text.lines[line].encode()) + 1)) for line in lines]
        edited = built(text.whole(), target, 64, edited)
        yield text.whole(), "\n".join(differences(text.whole(), target, places=places, edited=edited))


def main(arguments: Sequence[str]) -> int:
    """Edit kernels for some time."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=2500, help="of the longest kernel to edit")
    parser.add_argument("--keep", type=Path, help="a folder for the texts that differ")
    options = parser.parse_args(arguments)
    chooser = random.Random(options.seed)
    files = [kernel for kernel in random_edits.kernels() if kernel.text.count("\n") < options.lines]
    texts = differing = 0
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        kernel = chooser.choice(files)
        for text, difference in run(kernel, chooser):
            texts += 1
            if difference:
                differing += 1
                name = f"{hashlib.md5(text.encode()).hexdigest()[:8]}.s"
                print(f"{kernel.name} {name}: {difference}", flush=True)
                if options.keep is not None:
                    options.keep.mkdir(exist_ok=True)
                    (options.keep / name).write_text(text)
                break
    print(f"{texts} texts, {differing} differences")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
