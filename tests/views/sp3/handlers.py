"""The kernel driver's trap handlers against the words in its header; outside of the suite, since they are not ours.

`python -m tests.views.sp3.handlers FOLDER` with the folder `drivers/gpu/drm/amd/amdkfd` of a Linux source tree prints
for each build of a handler whether our words are those of the header.
"""

import re
import struct
import sys
from pathlib import Path
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.isa import versions
from gcn_lsp.program import program
from gcn_lsp.program.program import Options
from gcn_lsp.text import SourceText
from gcn_lsp.views.preprocessed import view as preprocessed
from gcn_lsp.views.sp3 import view as sp3

# The array in the header, the handler, the macro ASIC_FAMILY, and a processor of that family.
BUILDS = (
    ("gfx8", "gfx8", "0", "gfx801"),
    ("gfx9", "gfx9", "CHIP_VEGAM", "gfx900"),
    ("arcturus", "gfx9", "CHIP_ARCTURUS", "gfx908"),
    ("aldebaran", "gfx9", "CHIP_ALDEBARAN", "gfx90a"),
    ("gfx9_4_3", "gfx9", "CHIP_GC_9_4_3", "gfx942"),
    ("nv1x", "gfx10", "CHIP_NAVI10", "gfx1010"),
    ("gfx10", "gfx10", "CHIP_SIENNA_CICHLID", "gfx1030"),
    ("gfx11", "gfx10", "CHIP_PLUM_BONITO", "gfx1100"),
    ("gfx12", "gfx12", "CHIP_GFX12", "gfx1200"),
)


class Outcome(NamedTuple):
    """words: in the header. differing: of ours."""

    words: int
    differing: int


def outcome(folder: Path, array: str, file: str, family: str, processor: str) -> Outcome:
    """The comparison of one build."""
    header = (folder / "cwsr_trap_handler.h").read_text()
    found = re.search(rf"cwsr_trap_{array}_hex\[\] = \{{(.*?)\}}", header, re.DOTALL)
    assert found is not None, f"the header has no {array}"
    expected = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", found[1])]
    made = words(folder / f"cwsr_trap_handler_{file}.asm", family, processor)
    differing = sum(one != other for one, other in zip(expected, made, strict=False))
    return Outcome(len(expected), differing + abs(len(expected) - len(made)))


def words(path: Path, family: str, processor: str) -> list[int]:
    """The words that a handler assembles to."""
    source = SourceText.from_bytes(str(path), path.read_bytes())
    behind = preprocessed.of(source, lambda includer, name: None, {"ASIC_FAMILY": family}, 300_000)
    view = sp3.of(behind, isa.load_target(processor), 300_000)
    code = program.build(view.source, Options(processor, versions.SP3)).section_bytes(".text")
    return list(struct.unpack(f"<{len(code) // 4}I", code))


if __name__ == "__main__":
    for build in BUILDS:
        result = outcome(Path(sys.argv[1]), *build)
        print(f"{build[0]:10} {result.words:5} words, {result.differing} differ")
