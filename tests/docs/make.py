"""Writes the pages of rules and settings, and the example in the README: `python -m tests.docs.make`."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from click.testing import CliRunner

from gcn_lsp.api import reports
from gcn_lsp.cli.main import main
from gcn_lsp.findings import pages
from gcn_lsp.findings.rule import Rule
from gcn_lsp.project import settings
from gcn_lsp.rules import RULES

PACKAGE = Path(__file__).parents[2] / "gcn_lsp"
README = PACKAGE.parent / "README.md"
RULES_PAGE = PACKAGE / "rules" / "README.md"
SETTINGS_PAGE = PACKAGE / "project" / "README.md"
SCHEMA = PACKAGE / "project" / "gcn-lsp.schema.json"
KINDS = PACKAGE / "findings" / "rule_kinds.py"

ABOUT = "<!-- Written by `python -m tests.docs.make`; edit {source} instead. -->\n"

TYPES = {
    "target": "name",
    "targets": "list of names",
    "mattr": "text",
    "llvm": "whole number",
    "defines": "table of whole numbers",
    "macros": "table of strings",
    "include-paths": "list of folders",
    "select": "list of rules",
    "ignore": "list of rules",
    "expansion-limit": "whole number",
    "severity": "table of words",
    "compile-command": "list of strings",
    "report-at": "string",
    "workspace-diagnostics": "boolean",
    "inline-completion": "boolean",
    "inlay-hints": "table of `true` and `false`",
    "format": "table of words",
}

EXAMPLES = {
    "target": 'target = "gfx90a"',
    "targets": 'targets = ["gfx90a", "gfx942"]',
    "mattr": 'mattr = "-xnack"',
    "llvm": "llvm = 22",
    "defines": "defines = { batch_size = 16 }",
    "macros": 'macros = { TYPE = "float", WIDE = "" }',
    "include-paths": 'include-paths = ["include"]',
    "select": 'select = ["missing-wait", "missing-wait-states"]',
    "ignore": 'ignore = ["dead-write"]',
    "expansion-limit": "expansion-limit = 1000000",
    "severity": 'severity = { unused-symbol = "off", portability = "error" }',
    "compile-command": 'compile-command = ["clang++", "-x", "hip", "--offload-arch=gfx942"]',
    "report-at": 'report-at = "source"',
    "workspace-diagnostics": "workspace-diagnostics = true",
    "inline-completion": "inline-completion = true",
    "inlay-hints": "inlay-hints = { registers = true, in-flight = true }",
    "format": 'format = { operands = "column", comments = "auto" }',
}


RULES_HEAD = """\
# Rules

`gcn-lsp explain RULE` prints the same pages, and an editor opens one from a finding. Findings that are errors or
warnings make `gcn-lsp check` end with 1; hints are shown by editors, and by `check --severity hint`. Settings change
the severity of a rule, or switch it off: [`severity`, `select`, `ignore`](../project/README.md). In a file,
`; gcn-lsp: disable=RULE` does so for a line and `; gcn-lsp: disable-file=RULE` for the file.

| rule | severity | what it finds |
| --- | --- | --- |
"""

SETTINGS_HEAD = """\
# Settings

Settings are written in `gcn-lsp.toml`, or in `pyproject.toml` under `[tool.gcn-lsp]`, in the file's folder or one above
it. `[[files]]` with a `glob` sets them for some of the files. An editor sends the same settings (`include-paths` or
`includePaths`), as initialization options or under `gcn-lsp` of the workspace's configuration; `gcn-lsp check` has
options for most. A file can name its own target in a comment: `; gcn-lsp: target=gfx90a`.

Editors with Taplo (VS Code's *Even Better TOML* and others) complete and check the file by
[`gcn-lsp.schema.json`](gcn-lsp.schema.json). VS Code's extension names it to them. Elsewhere `gcn-lsp schema` prints
it, and `.taplo.toml` names it: `[[rule]]` with `include = ["gcn-lsp.toml"]` and `schema.path = "gcn-lsp.schema.json"`.
"""


def rules_page() -> str:
    """All rules: a table of them, then the page of each."""
    about = ABOUT.format(source="the docstrings in gcn_lsp/rules")
    parts = [f"{about}\n{RULES_HEAD}"]
    for rule in RULES.values():
        parts.append(f"| [`{rule.name}`](#{rule.name}) | {rule.severity.value} | {_upper(rule.summary)} |\n")
    return "".join(parts) + "\n" + "\n".join(map(_page, RULES.values()))


def rule_kinds() -> str:
    """The module with the kind of each rule."""
    rows = "".join(
        f'    "{name}": ({kind.stage.value}, "{kind.severity.value}", {kind.in_programs}, {kind.in_statements}),\n'
        for name, kind in ((rule.name, rule.kind) for rule in RULES.values())
    )
    return f'''"""The kind of each rule, known before its module is imported: written by `python -m tests.docs.make`."""

KINDS = {{
    # the number of its stage, its severity, whether it checks programs, and whether statements of inline assembly
{rows}}}
'''


def settings_page() -> str:
    """All settings: what each means, its type, and a line that sets it."""
    about = ABOUT.format(source="gcn_lsp/project/settings.py")
    parts = [f"{about}\n{SETTINGS_HEAD}"]
    for name, described in _described(settings.Settings).items():
        parts.append(f"## {name}\n\n{described}\n\nA {TYPES[name]}.\n\n```toml\n{EXAMPLES[name]}\n```\n")
        if name == "inlay-hints":
            keys = _described(settings.InlayHints).items()
            parts.append("".join(f"- `{key}`: {meaning}\n" for key, meaning in keys))
    return "\n".join(parts)


def _page(rule: Rule) -> str:
    """A rule's page, its headings in bold so that each rule is one section of the whole page."""
    title, _, rest = pages.markdown(rule.page).partition("\n")
    body = re.sub(r"^## (.*)$", r"**\1**", rest, flags=re.MULTILINE).replace("```gcn\n", "```asm\n")
    return f"## {title.removeprefix('# ')}\n\nSeverity: {rule.severity.value}.{body.rstrip()}\n"


def _described(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The descriptions of settings by their names, in the order in which they are declared."""
    properties = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    return {name: about["description"] for name, about in properties.items()}


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


EXAMPLE = """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.set v_sum, 4
kernel:
  global_load_dword v1, v0, s[2:3]
  v_fma_f32 v[v_sum], s8, v1, v1
  s_endpgm
"""


def readme() -> str:
    """The README as it is, with its example made anew."""
    before, mark, rest = README.read_text().partition("<!-- example: written by `python -m tests.docs.make` -->\n")
    return before + mark + _example() + "<!-- end -->" + rest.partition("<!-- end -->")[2]


def _example() -> str:
    """The findings in a kernel and the fixes, as the tool prints them."""
    return (
        f"```\n{_printed('check')}```\n\n"
        f"`gcn-lsp fix --write`, or the quick fix in an editor, adds the wait:\n\n```diff\n{_added_line()}\n```\n"
    )


def _printed(command: str) -> str:
    """What a command prints about the example."""
    here = Path.cwd()
    with TemporaryDirectory() as folder:
        Path(folder, "kernel.s").write_text(EXAMPLE)
        os.chdir(folder)  # the path is printed as it is given
        try:
            return CliRunner().invoke(main, [command, "kernel.s"]).stdout
        finally:
            os.chdir(here)


def _added_line() -> str:
    """The line that the fix adds, with its neighbours."""
    lines = _printed("fix").splitlines()
    added = next(number for number, line in enumerate(lines) if re.match(r"\+[^+]", line))
    return "\n".join(lines[added - 1 : added + 2])


def settings_schema() -> str:
    """The JSON schema of `gcn-lsp.toml`, as `gcn-lsp schema` prints it."""
    return CliRunner().invoke(main, ["schema"]).stdout


def output_schema(command: str) -> Callable[[], str]:
    return lambda: json.dumps(reports.SCHEMAS[command](), indent=2) + "\n"


FILES = {
    README: readme,
    RULES_PAGE: rules_page,
    KINDS: rule_kinds,
    SETTINGS_PAGE: settings_page,
    SCHEMA: settings_schema,
    **{SCHEMA.with_name(f"{command}.schema.json"): output_schema(command) for command in reports.SCHEMAS},
}

if __name__ == "__main__":
    for file, made in FILES.items():
        file.write_text(made())
