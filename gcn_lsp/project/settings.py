"""Every setting of gcn-lsp, declared once: its name, type, default and documentation.

The same names serve the configuration file (`include-paths`), the editor's settings (`includePaths` works too) and the
reference page, which is generated from this class.
"""

import difflib
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Annotated, Any, Literal

import msgspec

from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.isa import versions


class InlayHints(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """Which hints an editor shows between the text if it asks for hints; those that explain are on by default."""

    registers: Annotated[
        bool,
        msgspec.Meta(description="The register of an operand with a computed index: v35 for `v[v_acc+3]`."),
    ] = True
    offset: Annotated[
        bool,
        msgspec.Meta(description="The offset of a line in its section: `+0x4c`."),
    ] = False
    encoding: Annotated[
        bool,
        msgspec.Meta(description="The encoding of an instruction in dwords: `7E000280`."),
    ] = False
    in_flight: Annotated[
        bool,
        msgspec.Meta(description="What the wait counters count before an instruction: `vmcnt 2 (v[4:7])`."),
    ] = False
    inputs: Annotated[
        bool,
        msgspec.Meta(description="What a kernel is started with: `work-group id x` after `s6`, arguments after loads."),
    ] = True
    data: Annotated[
        bool,
        msgspec.Meta(description="The instruction that data among the code are: `s_nop 0` after `.long 0xBF800000`."),
    ] = True


MOST_EXPANDED = 3_000_000
"""The largest limit of expansion: a repository that sets it must not stop an editor."""

Layout = Literal["auto", "column", "blank"]


class Format(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """Where formatting puts the parts of a line: in a column, after one blank, or as most lines around have them."""

    operands: Annotated[Layout, msgspec.Meta(description="The operands of consecutive instructions.")] = "auto"
    comments: Annotated[Layout, msgspec.Meta(description="The comments after consecutive statements.")] = "auto"
    indent: Annotated[
        int,
        msgspec.Meta(ge=0, le=16, description="Columns of a level; 0: as the editor says, or most lines have it."),
    ] = 0
    tabs: Annotated[bool, msgspec.Meta(description="Whether a level of `indent` columns is a tab.")] = False


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """The settings that apply to one file. A default means: not set here, ask the next source."""

    target: Annotated[
        str | None,
        msgspec.Meta(description="The processor that the file is for, such as `gfx90a`, or an LLVM alias of one."),
    ] = None
    targets: Annotated[
        tuple[str, ...],
        msgspec.Meta(
            description="The processors that the file must assemble for. The file is checked for the first; "
            "lines rejected by any other are reported as `portability`."
        ),
    ] = ()
    mattr: Annotated[
        str,
        msgspec.Meta(description="Target features to add or remove, as for llvm-mc's `-mattr`: `-xnack,+cumode`."),
    ] = ""
    llvm: Annotated[
        Annotated[int, msgspec.Meta(ge=versions.VERSIONS[0], le=versions.VERSIONS[-1])] | None,
        msgspec.Meta(
            description=f"The version of LLVM whose assembler decides what a line means, {versions.USUAL} by default. "
            "For a target that it does not have, the first version that has it decides. Where it is not set, a RUN "
            "line with `llvm-mc-22` chooses LLVM 22, and so does the `.ident` of clang 22 or older."
        ),
    ] = None
    defines: Annotated[
        dict[str, int],
        msgspec.Meta(description="Values of symbols that the build defines, as with `-defsym NAME=VALUE`."),
    ] = {}
    macros: Annotated[
        dict[str, str],
        msgspec.Meta(
            description="Macros that the build defines for the C preprocessor, as with `-D NAME=TEXT`. The names in "
            "`defines` are macros too."
        ),
    ] = {}
    include_paths: Annotated[
        tuple[str, ...],
        msgspec.Meta(
            description="Directories that `.include` and `#include` search after that of the including file. Relative "
            "ones start "
            "at the folder of the configuration file, or the workspace folder."
        ),
    ] = ()
    select: Annotated[
        tuple[str, ...],
        msgspec.Meta(description="The only rules whose findings are shown; empty means all."),
    ] = ()
    ignore: Annotated[
        tuple[str, ...],
        msgspec.Meta(description="Rules whose findings are not shown."),
    ] = ()
    expansion_limit: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=MOST_EXPANDED)] | None,
        msgspec.Meta(
            description="The most lines that macros, repetitions and includes of one file may expand to, 300000 by "
            "default and 3000000 at most. Lines beyond the limit are not interpreted, and `expansion-limit` reports it."
        ),
    ] = None
    severity: Annotated[
        dict[str, Literal["error", "warning", "information", "hint", "off"]],
        msgspec.Meta(
            description="The severity of a rule's findings: `error`, `warning`, `information`, `hint` or `off`."
        ),
    ] = {}
    compile_command: Annotated[
        tuple[str, ...],
        msgspec.Meta(
            description="The compiler and its options for a source that `compile_commands.json` does not name, for an "
            "editor's command that shows its assembly; the name of the source follows them."
        ),
    ] = ()
    report_at: Annotated[
        Literal["assembly", "source"] | None,
        msgspec.Meta(
            description="Where findings in compiled assembly are reported: at the instruction, or at the line of the "
            "`source` that its `.loc` names. `assembly` by default."
        ),
    ] = None
    inlay_hints: Annotated[
        InlayHints,
        msgspec.Meta(
            description="What an editor shows between the text: `registers` after computed indices; `offset`, "
            "`encoding` and `in-flight` after instructions; `inputs` of the kernel where they are read; instructions "
            "after `data`. `registers`, `inputs` and `data` are on by default."
        ),
    ] = InlayHints()
    format: Annotated[
        Format,
        msgspec.Meta(
            description="Where formatting puts `operands` and `comments` of consecutive lines: `column`, below each "
            "other; `blank`, each after the text before it; `auto`, as most of these lines have them. `indent` is the "
            "width of a level in columns, `tabs` makes it a tab; without them an editor's own setting counts, and "
            "`gcn-lsp format` keeps what most lines of a file have."
        ),
    ] = Format()

    workspace_diagnostics: Annotated[
        bool,
        msgspec.Meta(
            description="Whether an editor that asks for the findings of its whole workspace gets those of files that "
            "are not open: every kernel is then checked once when it asks first, and again when it changes."
        ),
    ] = False
    inline_completion: Annotated[
        bool,
        msgspec.Meta(
            description="Whether an editor that shows suggestions in the line offers the next line where only one can "
            "be meant: a wait that is missing, or the next one of an unrolled sequence."
        ),
    ] = False

    def shows(self, rule: str) -> bool:
        """Whether findings of `rule` are shown."""
        return rule not in self.ignore and (not self.select or rule in self.select)

    def shown(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings to show, each with the severity that the settings give its rule."""
        kept = [finding for finding in findings if self.shows(finding.rule)]
        if not self.severity:
            return kept
        return [judged for judged in map(self._judged, kept) if judged is not None]

    def _judged(self, finding: Finding) -> Finding | None:
        level = self.severity.get(finding.rule)
        if level is None:
            return finding
        return None if level == "off" else msgspec.structs.replace(finding, severity=Severity(level))

    def over(self, other: "Settings") -> "Settings":
        """These settings, with those of `other` for each that is not set here.

        Defines, macros and severities are merged (these win); include paths of these precede those of `other`.
        `target` or `targets` here replaces both of `other`.
        """
        names_target = bool(self.target or self.targets)
        return Settings(
            target=self.target if names_target else other.target,
            targets=self.targets if names_target else other.targets,
            mattr=self.mattr or other.mattr,
            llvm=self.llvm or other.llvm,
            defines={**other.defines, **self.defines},
            macros={**other.macros, **self.macros},
            include_paths=tuple(dict.fromkeys((*self.include_paths, *other.include_paths))),
            select=self.select or other.select,
            ignore=self.ignore or other.ignore,
            expansion_limit=self.expansion_limit or other.expansion_limit,
            severity={**other.severity, **self.severity},
            compile_command=self.compile_command or other.compile_command,
            report_at=self.report_at or other.report_at,
            inlay_hints=self.inlay_hints if self.inlay_hints != InlayHints() else other.inlay_hints,
            workspace_diagnostics=self.workspace_diagnostics or other.workspace_diagnostics,
            inline_completion=self.inline_completion or other.inline_completion,
            format=self.format if self.format != Format() else other.format,
        )


class SettingMistake(msgspec.Struct, frozen=True):
    """An unusable key: its path in the table, whether its value is at fault, and a message."""

    key: tuple[str, ...]
    in_value: bool
    message: str


FIELDS = {field.encode_name: field for field in msgspec.structs.fields(Settings)}
_MOST_ENTRIES = 4096  # of a list or a table, or characters of a string
_MOST_MISTAKES = 100  # of one table; what comes after them is not read
_LONGEST = 80  # characters of a name or a value in a message

TABLES = {
    name: tuple(field.encode_name for field in msgspec.structs.fields(kind))
    for name, kind in (("inlay-hints", InlayHints), ("format", Format))
}
"""The keys of settings that are tables with keys of their own."""

_EXPECTED = {
    "target": "a string such as 'gfx90a'",
    "targets": "a list of strings such as ['gfx90a', 'gfx942']",
    "mattr": "a string such as '+xnack,-sramecc'",
    "llvm": " or ".join(map(str, versions.VERSIONS)),
    "defines": "a table of whole numbers such as { batch_size = 16 }",
    "macros": "a table of strings such as { TYPE = 'float' }",
    "include-paths": "a list of strings",
    "select": "a list of rule names",
    "ignore": "a list of rule names",
    "expansion-limit": f"a whole number from 1 to {MOST_EXPANDED}",
    "severity": "a table such as { unused-symbol = 'off' }, with error, warning, information, hint or off",
    "compile-command": "a list of strings",
    "report-at": "'assembly' or 'source'",
    "inlay-hints": "a table such as { in-flight = true }",
    "format": "a table such as { operands = 'column', indent = 2 }, with auto, column or blank",
}


def read(table: Mapping[str, Any], also_known: tuple[str, ...] = ()) -> tuple[Settings, list[SettingMistake]]:
    """The settings in a table from TOML or JSON, and the keys that are not settings.

    Keys, also those of a table in it, may be in kebab-case, camelCase or snake_case. Keys in `also_known` belong to
    others and are skipped.
    """
    values: dict[str, Any] = {}
    mistakes: list[SettingMistake] = []
    for key, written in table.items():
        name = kebab_case(key)
        if len(mistakes) >= _MOST_MISTAKES:
            break
        if name in FIELDS and isinstance(written, (str, list, Mapping)) and len(written) > _MOST_ENTRIES:
            parts = "characters" if isinstance(written, str) else "entries"
            message = f"'{name}' has {len(written):,} {parts} and is not used; the limit is {_MOST_ENTRIES:,}"
            mistakes.append(SettingMistake((key,), True, message))
        elif name in FIELDS:
            value = written
            if name in TABLES and isinstance(written, Mapping):
                value, unknown = _known(written, TABLES[name])
                mistakes += [SettingMistake((key, part), False, unknown_key(part, TABLES[name])) for part in unknown]
            try:
                values[FIELDS[name].name] = msgspec.convert(value, FIELDS[name].type)
            except msgspec.ValidationError:
                wrong = _describe(_wrong_part(value, FIELDS[name].type))
                mistakes.append(SettingMistake((key,), True, f"'{name}' must be {_EXPECTED[name]}, not {wrong}"))
        elif key not in also_known:
            mistakes.append(SettingMistake((key,), False, unknown_key(key, (*FIELDS, *also_known))))
    return Settings(**values), mistakes


def _known(table: Mapping[str, Any], known: tuple[str, ...]) -> tuple[dict[str, Any], list[str]]:
    """The entries of a table with known keys, by their names in kebab-case, and the other keys."""
    names = {key: kebab_case(key) for key in table}
    found = {name: table[key] for key, name in names.items() if name in known}
    return found, [key for key, name in names.items() if name not in known]


def unknown_key(key: str, known: tuple[str, ...]) -> str:
    """The message for an unknown key."""
    hint = nearest(kebab_case(key), known) or f"; the settings are {', '.join(known)}"
    return f"unknown setting '{shortened(key)}'{hint}"


def shortened(text: str) -> str:
    """The start of a name or a value that is too long for a message."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def nearest(name: str, known: tuple[str, ...]) -> str:
    """The end of a message about an unknown name: the name that was probably meant, or nothing."""
    similar = difflib.get_close_matches(name, known, 5) if len(name) <= _LONGEST else ()
    if not similar:
        return ""
    # People mistype the end of a processor's name, not its generation.
    found = max(similar, key=lambda other: _common_start(other, name))
    return f"; did you mean '{found}'?"


def _common_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def kebab_case(name: str) -> str:
    """`includePaths` and `include_paths` as `include-paths`."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).replace("_", "-")


def _wrong_part(value: object, wanted: Any) -> object:
    """The entries of a table that are wrong on their own."""
    if not isinstance(value, dict):
        return value
    return {name: item for name, item in value.items() if not _fits({name: item}, wanted)} or value


def _fits(value: object, wanted: Any) -> bool:
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        return False
    return True


def _describe(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {_number(value)}"
    if isinstance(value, str):
        return f"the string '{shortened(value)}'"
    if isinstance(value, list):
        wrong = next((item for item in value if not isinstance(item, str)), None)
        return "a list" if wrong is None else f"a list with {_describe(wrong)} in it"
    if isinstance(value, dict):
        wrong = (f"{shortened(name)} = {_describe(item)}" for name, item in value.items() if type(item) is not int)
        return next(wrong, "a table")
    return f"a {type(value).__name__}"


def _number(value: float) -> str:
    try:
        return shortened(str(value))
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "with too many digits"
