"""`gcn-lsp init`: writes a first gcn-lsp.toml, with comments, from what it finds in a folder."""

import os
from itertools import islice

import click

from gcn_lsp import project
from gcn_lsp.cli import files, kernel
from gcn_lsp.project import kernel_files, starter
from gcn_lsp.project.opened import OpenFile
from gcn_lsp.project.starter import FileFacts
from gcn_lsp.text import Location

_NAME = "gcn-lsp.toml"
_MOST = 400  # files that are read
_BUILDS = ("compile_commands.json",)


@click.command()
@click.option("-n", "--dry-run", is_flag=True, help="Print the file, write nothing.")
@click.option("-f", "--force", is_flag=True, help="Write it even if there is one.")
@click.argument("folder", metavar="[FOLDER]", default=".", type=click.Path(exists=True, file_okay=False))
def init(dry_run: bool, force: bool, folder: str) -> None:
    """Write a gcn-lsp.toml for the assembly in FOLDER, with comments: targets, include paths, symbols of the build.

    It reads the first 400 files. Exits with 2 on wrong usage or if there is such a file.
    """
    path = os.path.join(folder, _NAME)
    if not dry_run:
        files.check_absent(path, force=force)
    names = tuple(islice(files.walk(folder), _MOST))
    facts = [_facts(kernel.open_kernel(name, project.Settings())) for name in names]
    builds = (name for name in _BUILDS if os.path.exists(os.path.join(folder, name)))
    text = starter.text_for(facts, _folders(folder, facts), builds)
    if dry_run:
        click.echo(text, nl=False)
        return
    files.write(path, text.encode())
    click.echo(f"{path} written, from {len(names)} files")


def _facts(opened: OpenFile) -> FileFacts:
    program, choice = opened.program, opened.setup.target_choice
    if program is None:
        return FileFacts(opened.path, choice.target or "")
    missing = (each.where for each in opened.findings() if each.rule == "include-not-found")
    names = (name for where in missing for name in kernel_files.included_names(_line(opened, where)))
    assumed = program.candidates.name if program.candidates is not None else ""
    return FileFacts(opened.path, choice.target or "", assumed, tuple(names), program.build_defined)


def _line(opened: OpenFile, where: Location) -> bytes:
    source = opened.source(where.path)
    return source.lines[where.line] if source is not None else b""


def _folders(root: str, facts: list[FileFacts]) -> dict[str, tuple[str, ...]]:
    """The folders, relative to the root, that have each of the files that were not found."""
    wanted = {os.path.basename(name) for each in facts for name in each.missing}
    found: dict[str, tuple[str, ...]] = {}
    for folder, folders, inside in os.walk(root) if wanted else ():
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in wanted.intersection(inside):
            found[name] = (*found.get(name, ()), relative)
    return found
