"""One helper for each feature of the rules and the assembler; only this module knows how they are called."""

from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec
import pytest

from gcn_lsp import project, rules
from gcn_lsp.cli import kernel
from gcn_lsp.findings.model import Finding
from gcn_lsp.program import program
from gcn_lsp.text import TextEdit
from tests.support import fixture
from tests.support.fixture import Annotation, Fixture

DEFAULT_TARGET = "gfx900"


def build(parsed: Fixture, target: str | None = DEFAULT_TARGET) -> program.Program:
    """The program of the fixture's first file; `target` applies when its header names none (`target:-` is none)."""
    main = parsed.main
    chosen = {None: target, "-": None}.get(main.target, main.target)
    return program.build(main.source, program.Options(chosen, main.mattr, main.defines, parsed.include))


# Rules about files as a whole: fixtures are excerpts, so that they are of interest to tests of these rules only.
_OF_WHOLE_KERNELS = frozenset(("missing-endpgm", "uninitialised-register", "unknown-target"))


def findings(text: str, target: str | None = DEFAULT_TARGET) -> list[Finding]:
    """The findings in a fixture, but those about kernels as a whole."""
    return _of_excerpt(rules.check(build(fixture.parse(text), target)))


def _of_excerpt(found: Iterable[Finding], wanted: Container[str] = ()) -> list[Finding]:
    found = tuple(found)
    worse = [each for each in found if each.severity.rank < rules.RULES[each.rule].severity.rank]
    assert not worse, "a finding is worse than its rule, which is left out where no finding that bad is shown"
    return [finding for finding in found if finding.rule not in _OF_WHOLE_KERNELS or finding.rule in wanted]


def project_findings(folder: Path, text: str, files: Mapping[str, str] = MappingProxyType({})) -> list[Finding]:
    """The findings in the file `k.s` of a folder with other files, those about the project too."""
    for name, content in (*files.items(), ("k.s", text)):
        (folder / name).write_text(content)
    return list(kernel.open_kernel(str(folder / "k.s"), project.Settings()).findings())


def check_diagnostics(text: str, target: str | None = DEFAULT_TARGET) -> None:
    """The findings are those that the annotations say, and no others.

    What is unused or unreachable is of interest only to tests that annotate such a rule: fixtures are full of it. So it
    is with what concerns kernels as a whole.
    """
    parsed = fixture.parse(text)
    annotated = {annotation.rule for annotation in parsed.annotations}
    found = _of_excerpt(rules.check(build(parsed, target)), annotated)
    remaining = [finding for finding in found if not finding.unnecessary or finding.rule in annotated]
    missing = []
    for annotation in parsed.annotations:
        match = next((finding for finding in remaining if _matches(annotation, finding)), None)
        if match is None:
            missing.append(annotation)
        else:
            remaining.remove(match)
    if missing or remaining:
        pytest.fail(_differences(parsed, missing, remaining), pytrace=False)


def check_silent(text: str, target: str | None = DEFAULT_TARGET) -> None:
    """There are no findings."""
    assert not fixture.parse(text).annotations
    check_diagnostics(text, target)


def check_no_finding(text: str, rule: str, target: str | None = DEFAULT_TARGET) -> None:
    """Assert that there is no finding of `rule`, whatever else there is."""
    assert [finding for finding in findings(text, target) if finding.rule == rule] == []


def check_fix(before: str, after: str, target: str | None = DEFAULT_TARGET, rule: str = "") -> None:
    """The first fix of the only finding that has one turns `before` into `after`, which has no finding of that rule.

    rule: of the finding, where it is one about kernels as a whole.
    """
    parsed = fixture.parse(before)
    found = _of_excerpt(rules.check(build(parsed, target)), (rule,))
    (finding,) = (finding for finding in found if finding.fixes)
    edits = finding.fixes[0].edits
    files = tuple(msgspec.structs.replace(file, text=_edited(file, edits)) for file in parsed.files)
    assert [file.text for file in files] == [file.text for file in fixture.parse(after).files]
    again = rules.check(build(Fixture(files), target))
    assert finding.rule not in {other.rule for other in again}


def check_no_fix(text: str, target: str | None = DEFAULT_TARGET) -> None:
    """There are findings, and none of them has a fix."""
    found = findings(text, target)
    assert found
    assert not any(finding.fixes for finding in found)


def check_encoding(text: str, expected: str, target: str | None = DEFAULT_TARGET, section: str = ".text") -> None:
    """The section's bytes are those of `expected`, hexadecimal with blanks anywhere."""
    assert build(fixture.parse(text), target).section_bytes(section).hex(" ") == bytes.fromhex(expected).hex(" ")


def _matches(annotation: Annotation, finding: Finding) -> bool:
    where = finding.where
    return (
        (where.path, where.line, where.start) == (annotation.path, annotation.line, annotation.start)
        and max(where.end, where.start + 1) == annotation.end
        and (finding.severity.value, finding.rule) == (annotation.severity, annotation.rule)
        and annotation.message in finding.message
    )


def _edited(file: fixture.File, edits: Iterable[TextEdit]) -> str:
    source = file.source
    for edit in sorted(edits, key=lambda edit: edit.where, reverse=True):
        if edit.where.path == file.path:
            where = edit.where
            source = source.replace(where.line, where.start, where.line, where.end, edit.new_text.encode())
    return source.to_bytes().decode("utf-8", "surrogateescape")


def _differences(parsed: Fixture, missing: list[Annotation], unexpected: list[Finding]) -> str:
    """Missing and unexpected findings apart, each under its line, written so that they can be pasted."""
    texts = {file.path: file.text.split("\n") for file in parsed.files}
    parts = []
    for title, items in (
        ("missing", [_annotation_text(texts, item) for item in missing]),
        ("unexpected", [_finding_text(texts, item) for item in unexpected]),
    ):
        if items:
            parts += [f"{title}:", *items]
    return "\n" + "\n".join(parts)


def _annotation_text(texts: dict[str, list[str]], item: Annotation) -> str:
    label = f"{item.severity}[{item.rule}]: {item.message}"
    return _labelled(texts, item.path, item.line, item.start, item.end, label)


def _finding_text(texts: dict[str, list[str]], item: Finding) -> str:
    where = item.where
    label = f"{item.severity.value}[{item.rule}]: {item.message}"
    return _labelled(texts, where.path, where.line, where.start, max(where.end, where.start + 1), label)


def _labelled(texts: dict[str, list[str]], path: str, line: int, start: int, end: int, label: str) -> str:
    lines = texts.get(path, [])
    text = lines[line] if line < len(lines) else ""
    mark = "//<" + "^" * max(1, end - 3) if start < 3 else "//" + " " * (start - 2) + "^" * (end - start)
    return f"  {path}:{line + 1}\n{text}\n{mark} {label}"
