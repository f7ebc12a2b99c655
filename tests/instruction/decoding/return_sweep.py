"""Counts instructions that assemble to their bytes again when they were read from machine code.

`python -m tests.instruction.decoding.return_sweep objects FOLDER...` reads the code objects in folders,
`... random COUNT` changes bits of recorded instructions of every target. An instruction that does not come back is a
fault if LLVM's assembler gives its bytes for our text, or if `returning` says that it comes back; the others have bits
that no text shows, and a disassembly has `.long` in their place.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import Decoded, decoder_for
from gcn_lsp.instruction.decoding.returning import returning_for
from gcn_lsp.views.objects import disassembly, view
from gcn_lsp.views.objects.elf import NotReadable, Section
from tests.instruction.decoding.test_decoder import TARGETS, recorded
from tests.support import llvm

_MOST_FLIPS = 3


class Count:
    """What was read. came_back: instructions by target. others: those that did not. wrong: where `returning` was."""

    def __init__(self) -> None:
        self.came_back: Counter[str] = Counter()
        self.others: dict[isa.Target, Counter[tuple[str, bytes]]] = {}
        self.wrong: list[tuple[str, str, bytes]] = []
        self._known: dict[tuple[isa.Target, bytes], bool] = {}

    def add(self, target: isa.Target, found: Decoded, code: bytes) -> None:
        """Assemble an instruction, once for the same bytes."""
        comes_back = self._known.get((target, code))
        if comes_back is None:
            returning = returning_for(target)
            comes_back = self._known[target, code] = returning.assembled(found.text) == code
            if returning.gives(found, code) != comes_back:
                self.wrong.append((target.name, found.text, code))
        if comes_back:
            self.came_back[target.name] += 1
        else:
            self.others.setdefault(target, Counter())[found.text, code] += 1

    def faults(self) -> Iterator[tuple[str, str, bytes]]:
        """Those that did not come back although LLVM's assembler gives their bytes."""
        for target, others in self.others.items():
            texts = list(others)
            features = ",".join(part for part in target.mattr.split(",") if "llvm" not in part)
            answers = llvm.assemble([text for text, _ in texts], target.name, features)
            for (text, code), answer in zip(texts, answers, strict=True):
                if answer.code == code:
                    yield target.name, text, code


class Piece(NamedTuple):
    """Machine code of a target."""

    target: isa.Target
    code: bytes


def of_objects(folders: list[str]) -> Iterator[Piece]:
    """The code of every object in some folders; what is no object is left out."""
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.co")):
            try:
                objects = view.objects(path.read_bytes())
            except NotReadable:
                continue
            for _, code in objects:
                target = disassembly.load(code)
                for section in code.sections:
                    if section.flags & Section.EXECUTABLE and section.data:
                        yield Piece(target, section.data)


def of_random(count: int, cpus: list[str], seed: int = 0) -> Iterator[Piece]:
    """About `count` recorded instructions of each target with some bits changed."""
    for cpu in cpus:
        source = random.Random(f"{cpu} {seed}")
        rows = recorded(cpu)
        for features, _, code in source.choices(rows, k=count):
            number = int.from_bytes(code, "little")
            for _ in range(source.randint(0, _MOST_FLIPS)):
                number ^= 1 << source.randrange(8 * len(code))
            yield Piece(isa.load_target(cpu, features), number.to_bytes(len(code), "little"))


def counted(pieces: Iterator[Piece]) -> Count:
    """Read all instructions of some code."""
    count = Count()
    for target, code in pieces:
        at = 0
        for found in decoder_for(target).read_all(code):
            size = 4 if found is None else found.size
            if found is not None:
                count.add(target, found, code[at : at + size])
            at += size
    return count


def main(arguments: list[str]) -> None:
    """Print the numbers by target, what did not come back by mnemonic, and every fault."""
    kind, *rest = arguments
    count = counted(of_objects(rest) if kind == "objects" else of_random(int(rest[0]), TARGETS))
    print("came back:", count.came_back.total(), dict(count.came_back))
    others: Counter[str] = Counter()
    for found in count.others.values():
        for (text, _), times in found.items():
            others[text.split()[0]] += times
    print("did not:", others.total(), others.most_common(40))
    for name, text, code in (*count.faults(), *count.wrong):
        print("FAULT", name, text, code.hex())


if __name__ == "__main__":
    main(sys.argv[1:])
