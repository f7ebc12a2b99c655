"""Which files are AMD GPU assembly: the table of `gcn_lsp.project.file_signs`, written into every editor's client.

`python -m editors.recognition` writes it. Patterns are in the common dialect of Python, JavaScript and Oniguruma,
limited to what `translated` knows: literals, classes, `(?:...)`, `|`, `?`, `*`, `+`, `{n}`, `^`, `\\s`, `\\d`, `\\w`
and `\\b`. Case matters.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from gcn_lsp.project.file_signs import COMMENT, COMMENT_LINE, DIRECTIVES, OTHER_SIGNS, SIGNS

HERE = Path(__file__).parent

# Where a client looks at the first line only.
FIRST_LINE = "|".join((*DIRECTIVES, COMMENT_LINE))

_TOKEN = re.compile(r"\\.|\[[^]]*\]|\(\?:|\{\d+\}|.")

_BACKSLASHED = {")": r"\)", "|": r"\|", "{": r"\{", r"\(": "(", r"\|": "|"}
VIM = {**_BACKSLASHED, "(?:": r"\%(", "?": r"\?", "+": r"\+"}
EMACS = {**_BACKSLASHED, "(?:": r"\(?:", "}": r"\}", r"\d": "[0-9]", r"\w": "[A-Za-z0-9_]", r"\s": "[ \t]"}
POSIX = {"(?:": "(", r"\d": "[0-9]", r"\w": "[[:alnum:]_]", r"\s": "[[:space:]]"}


def translated(pattern: str, dialect: Mapping[str, str], start: str, end: str) -> str:
    """The pattern in another dialect: `start` and `end` are what a `\\b` before and after a word is in it."""
    out, before = "", ""
    for token in _TOKEN.findall(pattern):
        if token == r"\b":
            out += start if before in ("", "(?:", "|") else end
        elif token.startswith("{"):
            out += dialect.get("{", "{") + token[1:-1] + dialect.get("}", "}")
        else:
            out += dialect.get(token, token)
        before = token
    return out


def vim(pattern: str) -> str:
    """The pattern as Vim's `magic` has it."""
    return translated(pattern, VIM, r"\<", r"\>")


def emacs(pattern: str) -> str:
    """The pattern as Emacs has it."""
    return translated(pattern, EMACS, r"\_<", r"\_>")


def posix(pattern: str) -> str:
    """The pattern as `grep -E` has it."""
    return translated(pattern, POSIX, "(^|[^[:alnum:]_])", "([^[:alnum:]_]|$)")


ABOUT = "Written by `python -m editors.recognition`"


def typescript() -> str:
    """The table of the VS Code client."""

    def literal(pattern: str) -> str:
        return "/" + pattern.replace("/", "\\/") + "/"

    def table(name: str, patterns: tuple[str, ...]) -> str:
        return (
            f"export const {name}: readonly RegExp[] = [\n" + "".join(f"  {literal(p)},\n" for p in patterns) + "];\n"
        )

    comment = f"export const AMDGPU_COMMENT =\n  {literal(COMMENT)};\n"
    about = f"// {ABOUT}; edit gcn_lsp/project/file_signs.py instead.\n"
    return "\n".join((about, table("AMDGPU_SIGNS", SIGNS), comment, table("OTHER_SIGNS", OTHER_SIGNS)))


def lua() -> str:
    """The table of the Neovim plugin."""
    signs = "".join(f"    [[{vim(sign)}]],\n" for sign in SIGNS)
    about = f"-- {ABOUT}; edit gcn_lsp/project/file_signs.py instead.\n"
    return f"{about}return {{\n  signs = {{\n{signs}  }},\n  comment = [[{vim(COMMENT)}]],\n}}\n"


def _lisp() -> str:
    """The rows of Emacs' regular expression."""
    rows = [emacs(pattern) for pattern in (*SIGNS, COMMENT_LINE)]
    text = [row.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") for row in rows]
    return "".join(f'   "{row}"\n' for row in [text[0], *("\\\\|" + row for row in text[1:])])


def _grep() -> str:
    """The arguments of `grep`."""
    return "".join(f"            -e '{posix(pattern)}' \\\n" for pattern in (*SIGNS, COMMENT_LINE))


def _replaced(file: str, before: str, after: str, middle: Callable[[], str]) -> str:
    """The file as it is, with what is between two texts made anew."""
    head, first, rest = (HERE / file).read_text().partition(before)
    _, last, tail = rest.partition(after)
    if not (first and last):
        raise ValueError(f"{file} has no place for the table")
    return head + first + middle() + last + tail


FILES: dict[str, Callable[[], str]] = {
    "vscode/src/signs.ts": typescript,
    "vscode/package.json": lambda: _replaced(
        # A comment does not decide here: LLVM's tests, which VS Code does not know, name the processor in theirs.
        "vscode/package.json",
        '"firstLine": ',
        ",\n",
        lambda: json.dumps("|".join(DIRECTIVES), ensure_ascii=False),
    ),
    "neovim/lua/gcn_lsp/signs.lua": lua,
    "emacs/gcn-mode.el": lambda: _replaced(
        "emacs/gcn-mode.el", "(defconst gcn--sign-regexp\n  (concat\n", "   )\n", _lisp
    ),
    "kakoune/gcn.kak": lambda: _replaced("kakoune/gcn.kak", "grep -Eq \\\n", "            &&", _grep),
    "zed/languages/gcn/config.toml": lambda: _replaced(
        "zed/languages/gcn/config.toml", "first_line_pattern = '", "'\n", lambda: FIRST_LINE
    ),
}

if __name__ == "__main__":
    for name, made in FILES.items():
        (HERE / name).write_text(made())
