"""Each rule is complete: listed, tested, found by what it says, and run when an editor has the time for it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from gcn_lsp import rules
from gcn_lsp.findings.model import Severity
from gcn_lsp.findings.rule import Rule, Stage
from gcn_lsp.rules import RULES

PACKAGE = Path(rules.__file__).parents[1]
MODULES = {path.stem.replace("_", "-") for path in (PACKAGE / "rules").glob("[!_]*.py")}
LOWER = ("text", "isa", "flow", "syntax", "preproc", "instruction", "program", "analysis", "machine", "findings")
UPPER = ("project", "server", "cli", "ide", "site")

# Hints that an editor looks for at each key, and why they cost next to nothing there.
QUICK_HINTS = {
    "useless-wait": "kept by segment",
    "unused-suppression": "looks at suppression comments only, and only after the hints",
}


def test_every_module_is_a_rule_of_the_list() -> None:
    assert set(RULES) == MODULES, "a rule needs its module and its line in rules/__init__.py"


# What is no hint and waits for a pause all the same.
PATIENT = {
    "lds-beyond-segment": "it computes the addresses of all lanes along the paths of each kernel",
    "misaligned-access": "as missing-barrier",
    "missing-carry": "it follows what a loaded address is added to; half a millisecond of DGEMM's key",
    "missing-barrier": "it follows the paths of kernels that no other check follows; DGEMM's key takes twice as long",
    "overlapping-lds-writes": "as missing-barrier",
    "pointer-in-resource": "it follows the words of arguments into descriptors; as dear as split-argument",
    "split-argument": "it follows the words of arguments; 0.4 milliseconds of DGEMM's key",
    "unrequested-lds": "its fix needs the addresses of all lanes",
    "wrong-argument-pointer": "as split-argument",
    "unwritten-lds-read": "it needs all that each kernel reaches; 0.2 milliseconds of DGEMM's key",
}


@pytest.mark.parametrize("name", RULES)
def test_every_rule_has_tests(name: str) -> None:
    assert Path(__file__).with_name(f"test_{name.replace('-', '_')}.py").exists()


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_a_rule_is_found_by_something(rule: Rule) -> None:
    checks = [check for check in (rule.check, rule.check_report, rule.check_inline) if check is not None]
    assert len(checks) == (rule.stage is not Stage.ASSEMBLED)
    assert checks or rule.found_by


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_hints_wait_for_a_pause_and_nothing_else_does(rule: Rule) -> None:
    if rule.stage is Stage.HINTS:
        assert rule.severity is Severity.HINT or rule.name in PATIENT
    elif rule.severity is Severity.HINT and rule.stage is not Stage.ASSEMBLED:
        assert rule.name in QUICK_HINTS, "a hint belongs into Stage.HINTS; others run at each key"


def test_the_exceptions_are_rules() -> None:
    assert {*QUICK_HINTS, *PATIENT} <= set(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_found_by_names_the_modules_that_make_the_problem(rule: Rule) -> None:
    makers = {module for module, names in _makers().items() if rule.name in names}
    unnamed = {module for module in makers if not any(_is_in(module, name) for name in rule.found_by)}
    assert unnamed == set(), "a module that makes this problem is not in found_by of the rule"
    idle = {name for name in rule.found_by if not any(_is_in(module, name) for module in makers)}
    assert idle == set(), "what found_by of the rule names makes no such problem"


def test_found_by_names_no_whole_layer() -> None:
    assert [name for rule in RULES.values() for name in rule.found_by if "." not in name] == []


def _is_in(module: str, name: str) -> bool:
    """Whether a module is the one of that name or in the package of that name."""
    return f"{module}.".startswith(f"{name}.")


@cache
def _makers() -> dict[str, set[str]]:
    """The rules whose mistakes each module reports: below `rules` it has their names, above it imports them."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): set(_made(path, layer in UPPER))
        for layer in (*LOWER, *UPPER)
        for path in (PACKAGE / layer).rglob("*.py")
        if path.stem != "rule_kinds"  # it has the names of all
    }


def _made(path: Path, is_above: bool) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    if is_above:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "gcn_lsp.rules":
                yield from (alias.name.replace("_", "-") for alias in node.names)
        return
    # Names that are compared or listed say something about problems that others make.
    asked = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Compare) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and all(map(_is_name, node.elts)):
            asked.update(map(id, node.elts))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_name(node) and id(node) not in asked:
            yield node.value


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in MODULES
