"""configuration-error: a configuration file has a mistake.

What it checks

The syntax, the names of the settings, and their types and values in `gcn-lsp.toml`, the table `[tool.gcn-lsp]` of
`pyproject.toml`, and `compile_commands.json`; and that the version of LLVM in the setting `llvm` has the file's target.
In the `pyproject.toml` below, `target` is misspelt.

Why it matters

The setting has no effect. The rest of the file is used.

Example

    [tool.gcn-lsp]
    traget = "gfx90a"

Use instead

    [tool.gcn-lsp]
    target = "gfx90a"

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "configuration-error",
    Severity.WARNING,
    __doc__,
    found_by=("project.compile_commands", "project.configuration", "project.setup", "project.target_choice"),
)
