"""The entry of the command `gcn-lsp`: answers `--version` and `--help` itself, and starts the server for an editor.

That needs no library; all else is for `main`. Importing click alone takes longer than either answer; a test compares
them with click's.
"""

import errno
import os
import sys
from importlib import import_module

import gcn_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes longer than the answer
    from typing import NoReturn

# Name of a command, which is also that of its module and function, with `_` for `-` -> the first sentence of its help,
# which a test compares with the function's. A command is loaded on use, so that `--version`, `--help` and the server
# start quickly.
COMMANDS = {
    "check": "Print the findings in files; directories are searched for assembly, - is standard input.",
    "fix": "Apply the certain fixes of the findings in files; directories are searched for assembly.",
    "format": "Format files as an editor does; directories are searched for assembly.",
    "encode": "Print the bytes of each instruction in FILE; - is standard input.",
    "disassemble": "Print the code object in FILE as assembly; - is standard input.",
    "assemble": "Write the code and descriptors of FILE, an edited text from `gcn-lsp disassemble`, into a copy of "
    "OBJECT.",
    "expand": "Print FILE as the assembler sees it, without macros, repetitions and includes; - is standard input.",
    "explain": "Explain a mnemonic, a rule, a target, or a word: the pages that an editor shows.",
    "docs": "Write a site that documents every mnemonic, modifier, register and message.",
    "graph": "Draw the control flow of a kernel in FILE: blocks, branches, loops, waits, pressure; - is standard "
    "input.",
    "compare": "Print what differs between the kernels of OLD and NEW: their resources, and their instructions.",
    "report": "Print the resources, occupancy, registers and waits of the kernels in FILE; - is standard input.",
    "compile-command": "Print the command that compiles FILE to the assembly of its device code, as JSON; nothing is "
    "run.",
    "run": "Run a kernel of FILE on this machine and print what the run found: accesses outside memory, races, missing "
    "waits.",
    "test": "Run the tests in *.kernel.toml files: kernels with inputs and expected results; directories are searched.",
    "debug": "Debug kernels on this machine: serve the Debug Adapter Protocol over standard input and output.",
    "eval": "Execute one INSTRUCTION, in quotes, and print what it writes.",
    "init": "Write a gcn-lsp.toml for the assembly in FOLDER, with comments: targets, include paths, symbols of the "
    "build.",
    "serve": "Start the language server.",
    "mcp": "Serve tools for coding agents (Model Context Protocol) over standard input and output.",
    "clean": "Remove the results that gcn-lsp keeps in the user's cache directory.",
    "targets": "List the targets: name, generation, architecture, other names, products.",
    "schema": "Print the JSON schema of gcn-lsp.toml, for editors that complete and check TOML by one.",
    "completion": "Print the script with which SHELL completes this program's arguments.",
    "manual": "Print the manual page of this program, as troff source.",
}

SENTENCE = "Check, fix, encode, expand and explain AMD GPU assembly, or serve it to an editor."
OPTIONS = {"--version": "Print the version.", "-h, --help": "Show this message and exit."}
WIDEST = 110
"""Columns of a page of help, on a terminal that has them."""

_LEAST = 50
_ASKED_FOR_HELP = (["-h"], ["--help"])
_SERVE = (["serve"], ["serve", "--stdio"])


def run(program: str = "") -> "NoReturn":
    """Run the command of the process's arguments, and end the process. program: its name, by default the file's."""
    arguments = sys.argv[1:]
    answer = ""
    if arguments == ["--version"]:
        answer = f"gcn-lsp {gcn_lsp.__version__}\n"
    elif arguments in _ASKED_FOR_HELP:
        answer = page(program or os.path.basename(sys.argv[0]))
    if answer and sys.stdout is not None:
        _end_with(answer)
    if arguments in _SERVE and None not in (sys.stdin, sys.stdout):
        import_module("gcn_lsp.server.main").serve_stdio()  # what an editor waits for needs no click
    import_module("gcn_lsp.patterns").load("click")  # with it come `gettext` and others
    import_module("gcn_lsp.cli.main").run()  # late: see above; it has the table from here
    raise AssertionError("a command ends the process")


def _end_with(answer: str) -> "NoReturn":
    """Print an answer and end the process; a pipe that nobody reads any more is no failure worth a word."""
    try:
        sys.stdout.write(answer)
        sys.stdout.flush()
    except OSError as error:
        if error.errno != errno.EPIPE and sys.stderr is not None:
            sys.stderr.write(f"Error: cannot write the output: {error.strerror}\n")
            sys.stderr.flush()
        os._exit(2)
    os._exit(0)


def page(program: str) -> str:
    """The text of `--help`, as wide as the terminal."""
    import shutil  # late: `check` needs neither
    import textwrap

    width = max(min(shutil.get_terminal_size().columns, WIDEST) - 2, _LEAST)

    def rows(table: dict[str, str]) -> str:
        first = max(map(len, table)) + 4
        wrapped = {name: textwrap.wrap(said, max(width - first, 10)) for name, said in table.items()}
        ends = f"\n{' ' * first}"
        return "".join(f"{f'  {name}':{first}}{ends.join(lines)}\n" for name, lines in wrapped.items())

    about = textwrap.fill(SENTENCE, width, initial_indent="  ", subsequent_indent="  ")
    return (
        f"Usage: {program} [OPTIONS] COMMAND [ARGS]...\n\n{about}\n\n"
        f"Options:\n{rows(OPTIONS)}\nCommands:\n{rows(COMMANDS)}"
    )
