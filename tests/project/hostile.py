"""Files of a repository that would stop what reads them: by name, the file, its text and what is reported where."""

from typing import NamedTuple


class Hostile(NamedTuple):
    """A file of a project. line, start: of the finding in it, from 0. message: its start; empty if there is none."""

    name: str
    text: str
    line: int = 0
    start: int = 0
    message: str = ""


_DEEP = "more than 32 brackets within each other; the line is not used"
_SIZE = "gcn-lsp.toml has {:,} bytes and is not used; the limit is 262,144"
_LONG_LINE = f'a = "{"x" * 10_000_000}"\n'
_KEYS = "".join(f"k{number} = 1\n" for number in range(400_000))
_SMALL_KEYS = "".join(f"k{number} = 1\n" for number in range(20_000))
_LIST = "'x', " * 50_000

FILES = {
    "dotted key": Hostile(
        "gcn-lsp.toml", f"\n{'.'.join('a' * 100_000)} = 1\n", 1, 63, "a key of more than 32 parts; the line is not used"
    ),
    "dotted header": Hostile("gcn-lsp.toml", f"[{'.'.join('a' * 50_000)}]\n", 0, 64, "a key of more than 32 parts"),
    "dotted key within": Hostile(
        "gcn-lsp.toml", f"a = {{{'.'.join('a' * 9000)} = 1}}\n", 0, 68, "a key of more than 32"
    ),
    "keys": Hostile("gcn-lsp.toml", _KEYS, message=_SIZE.format(len(_KEYS))),
    "as many keys as fit": Hostile("gcn-lsp.toml", _SMALL_KEYS, message="unknown setting 'k0'; the settings are"),
    "sections": Hostile("gcn-lsp.toml", '[[files]]\nglob="*"\n' * 10_000, 2000, 0, "a file has at most 1000 sections"),
    "folders in a pattern": Hostile("gcn-lsp.toml", f'[[files]]\nglob = "{"**/" * 12}x"\n'),
    "names in a pattern": Hostile("gcn-lsp.toml", f'[[files]]\nglob = "{"*a" * 12}"\n'),
    "arrays": Hostile("gcn-lsp.toml", f"a = {'[' * 5000}{']' * 5000}\n", 0, 36, _DEEP),
    "open arrays": Hostile("gcn-lsp.toml", f"a = {'[' * 5000}\n", 0, 36, _DEEP),
    "arrays on lines": Hostile("gcn-lsp.toml", "a = " + "[\n" * 5000 + "]\n" * 5000, 32, 0, _DEEP),
    "tables": Hostile("gcn-lsp.toml", f"a = {'{a=' * 5000}1{'}' * 5000}\n", 0, 100, _DEEP),
    "after a long string": Hostile("gcn-lsp.toml", f'a = ["""x\\""" """, {"[" * 5000}\n', 0, 50, _DEEP),
    "arrays of pyproject": Hostile("pyproject.toml", f"[tool.gcn-lsp]\na = {'[' * 5000}{']' * 5000}\n", 1, 36, _DEEP),
    "number": Hostile(
        "gcn-lsp.toml", f"expansion-limit = {'9' * 5000}\n", 0, 18, "a word of 5000 characters, more than 256"
    ),
    "hexadecimal number": Hostile(
        "gcn-lsp.toml", f"expansion-limit = 0x{'f' * 200}\n", 0, 18, "'expansion-limit' must be a whole number from 1"
    ),
    "line": Hostile("gcn-lsp.toml", _LONG_LINE, message=_SIZE.format(len(_LONG_LINE))),
    "quotes": Hostile("gcn-lsp.toml", 'a = "' + '\\"' * 100_000, message="not TOML: unterminated string"),
    "list": Hostile("gcn-lsp.toml", f"ignore = [{_LIST}]\n", 0, 9, "'ignore' has 50,000 entries and is not used"),
    "names of rules": Hostile(
        "gcn-lsp.toml", f"ignore = [{','.join(map(repr, map(str, range(4000))))}]\n", 0, 9, "'0' "
    ),
    "names of targets": Hostile(
        "gcn-lsp.toml", f"targets = [{','.join(map(repr, map(str, range(4000))))}]\n", 0, 10, ""
    ),
    "features": Hostile("gcn-lsp.toml", f"mattr = '{'+a,' * 1300}'\n", 0, 8, "unknown feature 'a', 'a', 'a'"),
    "mistakes": Hostile("gcn-lsp.toml", "= 1\n" * 60_000, message="not TOML: invalid statement"),
    "commands": Hostile(
        "compile_commands.json", "[" * 100_000 + "]" * 100_000, message="not a list of compile commands"
    ),
    "commands within": Hostile(
        "compile_commands.json",
        f'[{{"x": {"[" * 100_000}{"]" * 100_000}}}]',
        message="not a list of compile commands: its values are nested too deeply",
    ),
    "entries": Hostile(
        "compile_commands.json",
        f"[{','.join(['{}'] * 3_000_000)}]",
        message="not a list of compile commands: it has 3,000,000 opening braces; the limit is 250,000",
    ),
    "long command": Hostile("compile_commands.json", f'[{{"file": "k.s", "command": "{"a " * 5_000_000}"}}]'),
}
