"""Every rule's page is complete and true: its example yields exactly this rule, the fixed one yields nothing."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gcn_lsp import project
from gcn_lsp.cli import kernel
from gcn_lsp.findings import pages
from gcn_lsp.findings.model import Severity
from gcn_lsp.findings.rule import Rule
from gcn_lsp.project import inline
from gcn_lsp.rules import RULES
from tests.support.inline import compiles

CLANG = shutil.which("clang-22")
LLVM_MC = shutil.which("llvm-mc-23")

# Rules whose example alone is not an assembly file, and why.
NOT_ASSEMBLY = {
    "configuration-error": "the mistake is in a configuration file",
    "unreadable-file": "needs something in the way on the disk",
    "too-many-findings": "is added when findings are shown",
    **dict.fromkeys(
        (
            *("access-outside-memory", "misaligned-access", "lds-race"),
            *("unwritten-memory-read", "memory-race"),
            *("order-dependent-result", "stopped-run"),
        ),
        "is found when a kernel runs",
    ),
}

# Rules about the project, the comments or our own limits, of which LLVM knows nothing.
NOT_LLVM = {
    "include-cycle",
    "expansion-limit",
    "missing-wait",
    "insufficient-wait",
    "missing-wait-states",
    *NOT_ASSEMBLY,
}

# Rules that say something about all of the code, and so nothing while a file that it includes is missing.
WHOLE_CODE = {
    *("broken-clause", "clobbered-condition", "code-after-release", "dead-write", "early-lds-write"),
    *(
        "incomplete-acquire",
        "incomplete-release",
        "missing-barrier",
        "missing-endpgm",
        "missing-entry-sequence",
        "missing-entry-wait",
        "missing-write-back",
    ),
    *("privileged-write", "replayed-atomic", "shared-register", "skipped-barrier", "suspicious-resource"),
    *("undecodable-code", "undefined-symbol", "unfinished-return", "uninitialised-register", "unpaired-barrier"),
    *("lds-bank-conflict", "overwritten-lds-copy", "overwritten-lds-read", "unpublished-lds-copy"),
    *(
        "unpublished-lds-write",
        "unreachable-code",
        "unreached-store",
        "unreturned-value",
        "unsaved-register",
        "unused-macro",
    ),
    *(
        "endless-loop",
        "inactive-lanes",
        "inverted-loop-branch",
        "mispaired-mask",
        "unread-comparison",
        "unrequested-lds",
        "unused-symbol",
    ),
    *("lost-accumulation", "missing-carry", "pointer-in-resource", "split-argument", "unwritten-lds-read"),
    *("narrow-scope", "overlapping-lds-writes", "unchecked-allocation", "wrong-argument-pointer"),
}

ASSEMBLY = [rule for rule in RULES.values() if rule.name not in NOT_ASSEMBLY]


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_page_has_all_sections(rule: Rule) -> None:
    assert rule.page.startswith(f"{rule.name}: ")
    assert rule.summary[-1] == "."
    found = pages.sections(rule.page)
    assert tuple(found) == pages.HEADINGS
    assert all(found.values())
    assert found["Example"] != found["Use instead"]


@pytest.mark.parametrize("rule", ASSEMBLY, ids=lambda rule: rule.name)
def test_example_yields_exactly_this_rule(rule: Rule, tmp_path: Path) -> None:
    assert rules_found(pages.sections(rule.page)["Example"], tmp_path) == [rule.name]


@pytest.mark.parametrize(
    "rule", [rule for rule in ASSEMBLY if not pages.is_about_inline(rule.page)], ids=lambda rule: rule.name
)
def test_what_is_left_while_an_included_file_is_missing(rule: Rule, tmp_path: Path) -> None:
    text = pages.sections(rule.page)["Example"] + '\n.include "absent.inc"\n'
    assert (rule.name in rules_found(text, tmp_path)) == (rule.name not in WHOLE_CODE)


@pytest.mark.parametrize("rule", ASSEMBLY, ids=lambda rule: rule.name)
def test_use_instead_yields_nothing(rule: Rule, tmp_path: Path) -> None:
    assert rules_found(pages.sections(rule.page)["Use instead"], tmp_path) == []


@pytest.mark.skipif(LLVM_MC is None, reason="llvm-mc-23 is not installed (Debian package llvm-23)")
@pytest.mark.parametrize(
    "rule",
    [
        rule
        for rule in ASSEMBLY
        if rule.severity is Severity.ERROR
        and rule.name not in NOT_LLVM
        and not pages.is_about_inline(pages.sections(rule.page)["Example"])
    ],
    ids=lambda rule: rule.name,
)
def test_llvm_agrees(rule: Rule) -> None:
    found = pages.sections(rule.page)
    assert llvm_errors(found["Example"])
    assert not llvm_errors(found["Use instead"])


@pytest.mark.skipif(CLANG is None, reason="clang-22 is not installed (Debian package clang-22)")
@pytest.mark.parametrize(
    "rule", [rule for rule in ASSEMBLY if rule.check_inline is not None], ids=lambda rule: rule.name
)
def test_clang_agrees(rule: Rule, tmp_path: Path) -> None:
    found = pages.sections(rule.page)
    assert compiles(found["Example"], tmp_path) == (rule.severity is not Severity.ERROR)
    assert compiles(found["Use instead"], tmp_path)


def rules_found(text: str, folder: Path) -> list[str]:
    """The rules of all findings in `text` as a file, the project's included."""
    is_source = any(word in text for word in ("asm volatile(", "__builtin_", "__device__"))
    file = folder / ("example.hip" if is_source else "example.s")
    file.write_text(text + "\n")
    if is_source and not inline.has_assembly(str(file)):
        return []  # a call in place of the statement
    opened = kernel.open_kernel(str(file), project.Settings(), takes_inline=True)
    return [finding.rule for finding in opened.findings()]


def llvm_errors(text: str) -> list[str]:
    """LLVM's errors in `text`, assembled for the target that it names."""
    target = re.search(r"target=(\w+)", text)
    assert LLVM_MC
    assert target
    command = [LLVM_MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={target[1]}", "-filetype=obj", "-o", "/dev/null"]
    result = subprocess.run(command, input=text + "\n", capture_output=True, text=True, check=False)
    return [line for line in result.stderr.splitlines() if "error:" in line]
