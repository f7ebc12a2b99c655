"""Sources with inline assembly: what the rules find in them, and whether clang compiles them."""

import re
import subprocess
from pathlib import Path

from gcn_lsp import rules
from gcn_lsp.findings.model import Finding
from gcn_lsp.text import SourceText, edited
from gcn_lsp.views.inline import cpp
from gcn_lsp.views.inline.targets import Targets


def findings(text: str, target: str = "gfx90a", suffix: str = ".hip") -> list[Finding]:
    """The findings in a source; without a target, those that all targets agree on."""
    source = SourceText.from_bytes(f"source{suffix}", text.encode())
    targets = Targets(((target, ""),)) if target else Targets()
    return rules.check_inline(source, cpp.statements(source.to_bytes()), targets)


def found(text: str, target: str = "gfx90a") -> list[tuple[str, str]]:
    """The rule of each finding and the text that it is about."""
    lines = text.encode().split(b"\n")
    return [
        (each.rule, lines[each.where.line][each.where.start : each.where.end].decode())
        for each in findings(text, target)
    ]


def fixed(text: str, target: str = "gfx90a") -> str:
    """The source after the certain fix of each finding."""
    source = SourceText.from_bytes("source.hip", text.encode())
    edits = [edit for each in findings(text, target) if each.certain_fix for edit in each.certain_fix.edits]
    return edited(source, edits).to_bytes().decode()


def in_function(statement: str) -> str:
    """A statement in a function with variables for its operands."""
    return f"void f(int a, int b, unsigned p, float4 q) {{\n  int x, y;\n  {statement}\n}}\n"


def compiles(text: str, folder: Path, target: str = "") -> bool:
    """Whether clang makes code of a C++ source for a target."""
    named = re.search(r"target=(\w+)", text)
    target = target or (named[1] if named else "gfx90a")
    file = folder / "source.cpp"
    file.write_text("typedef float float4 __attribute__((ext_vector_type(4)));\n" + text)
    command = ["clang-22", "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib", "-w", "-c", "-O1"]
    command += ["-o", str(folder / "out.o"), str(file)]
    return subprocess.run(command, capture_output=True).returncode == 0
