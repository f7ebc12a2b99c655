"""Our source lines of compiled files against the line tables of their objects, as `llvm-dwarfdump` has them.

`python -m tests.views.line_tables 50` compiles that many of our kernels with `-g`, at all levels of optimisation, and
prints for each how many instructions have another place.
"""

import posixpath
import re
import subprocess
import sys
import tempfile
from bisect import bisect_right
from pathlib import Path

from gcn_lsp.program import program
from gcn_lsp.program.program import Options, Program
from gcn_lsp.text import SourceText
from gcn_lsp.views import source_lines
from gcn_lsp.views.view import SourcePlace
from tests.analysis import compiled
from tests.analysis.compiled import Build

LEVELS = ("-O0", "-O1", "-O2", "-O3")
DWARFDUMP = "llvm-dwarfdump-22"
Row = tuple[int, int, int, int]  # address, line, column, file
_FOLDER = Path(compiled.__file__).parent / "kernels"
_ROW = re.compile(r"^0x([0-9a-f]{16})\s+(\d+)\s+(\d+)\s+(\d+)\s.*?(end_sequence)?$", re.MULTILINE)


def sample(number: int) -> list[Build]:
    """Builds of different kernels and targets, as many at each level."""
    return [build for level in LEVELS for build in compiled.sample(-(-number // len(LEVELS)), (), (level,))]


def differing(build: Build) -> tuple[int, list[str]]:
    """How many instructions a build has, and those whose place is another one in the object."""
    with tempfile.TemporaryDirectory() as folder:
        assembly, made = Path(folder, "k.s"), Path(folder, "k.o")
        options = [build.level, "-g", "-Wno-everything", "-nogpulib", "-target", "amdgcn-amd-amdhsa"]
        if build.wave:
            options.append(f"-m{'no-' if build.wave == 32 else ''}wavefrontsize64")
        said = compiled._said(build.kernel).get("options", "").split()
        language = ["-x", "cl", "-cl-std=CL2.0", *(each for each in said if not each.startswith("-O"))]
        source = str(_FOLDER / f"{build.kernel}.cl")
        _run(compiled.CLANG, *language, *options, f"-mcpu={build.target}", "-S", "-o", str(assembly), source)
        _run(compiled.CLANG, *options[2:], f"-mcpu={build.target}", "-c", "-o", str(made), str(assembly))
        found = program.build(SourceText.from_bytes("k.s", assembly.read_bytes()), Options(build.target, build.mattr))
        dump = _run(DWARFDUMP, "--debug-line", str(made))
    return compared(found, dump)


def compared(found: Program, dump: str) -> tuple[int, list[str]]:
    """The instructions of the program, and those whose place is not that of the table."""
    tables, files = _tables(dump), _files(dump)
    ours = dict(source_lines.places(found))
    wrong = []
    instructions = [item for item in found.items() if item.item.kind == "instruction"]
    for item in instructions:
        line = item.where.line
        place = ours.get(line)
        assert place == source_lines.at(found, line), f"two answers for line {line + 1}"
        expected = [row for table in tables if (row := _row(table, item.offset, files)) is not None]
        if (place is None and not expected) or (place is not None and _key(place) in expected):
            continue
        wrong.append(f"line {line + 1}: {place} and not {expected}")
    return len(instructions), wrong


def _key(place: SourcePlace) -> tuple[str, int, int]:
    return place.file, place.line, place.column


def _row(table: list[Row], address: int, files: list[str]) -> tuple[str, int, int] | None:
    """File, line and column for an address in a sequence; None outside of it and for line 0."""
    index = bisect_right([row[0] for row in table], address) - 1
    if index < 0 or index == len(table) - 1:
        return None
    _, line, column, file = table[index]
    return (files[file], line, column) if line else None


def _files(dump: str) -> list[str]:
    folders = re.findall(r'^include_directories\[ *\d+\] = "(.*)"', dump, re.MULTILINE)
    names = re.findall(r'^ *name: "(.*)"\n *dir_index: (\d+)', dump, re.MULTILINE)
    return [posixpath.normpath(posixpath.join(folders[0], folders[int(number)], name)) for name, number in names]


def _tables(dump: str) -> list[list[Row]]:
    """The sequences: each section has its own, which ends with a row for its end."""
    found: list[list[Row]] = [[]]
    for row in _ROW.finditer(dump):
        found[-1].append((int(row[1], 16), int(row[2]), int(row[3]), int(row[4])))
        if row[5]:
            found.append([])
    return [table for table in found if table]


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stderr}"
    return done.stdout


if __name__ == "__main__":
    total = bad = 0
    for each in sample(int(sys.argv[1])):
        try:
            count, differences = differing(each)
        except AssertionError as error:  # clang does not compile every kernel without optimisation
            print(f"{each}: {str(error).splitlines()[0][:60]}")
            continue
        total, bad = total + count, bad + len(differences)
        print(f"{each}: {count} instructions, {len(differences)} differ", *differences[:3], sep="\n  ")
    print(f"{total} instructions, {bad} differ")
