"""A first `gcn-lsp.toml` for a folder, from what its files say: `text_for`."""

import os
from collections import Counter
from collections.abc import Iterable

import msgspec


class FileFacts(msgspec.Struct, frozen=True):
    """What a file contributes. target: that it names, or empty. assumed: that it was taken for without a name.

    missing: names of included files that were not found. undefined: symbols that only the build can define.
    """

    path: str
    target: str = ""
    assumed: str = ""
    missing: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()


def text_for(facts: Iterable[FileFacts], folders: dict[str, tuple[str, ...]], builds: Iterable[str]) -> str:
    """The text of the file. folders: where files of a name lie, by that name. builds: names of build descriptions."""
    facts = tuple(facts)
    lines = ["# Settings of gcn-lsp for the assembly below this folder. `gcn-lsp schema` describes all of them.", ""]
    lines += [*_target(facts), "", *_include_paths(facts, folders), "", *_defines(facts)]
    if found := tuple(builds):
        lines += [
            "",
            f"# {', '.join(found)} is read too: the target, symbols and include paths of the files in it.",
        ]
    lines += [
        "",
        "# Rules: off for all files, or with another severity. A comment `; gcn-lsp: disable=RULE` is for one line.",
        '# ignore = ["unused-symbol"]',
        '# severity = { over-wait = "warning" }',
        "",
        "# Other settings for some of the files:",
        "# [[files]]",
        '# glob = "gfx11/**"',
        '# target = "gfx1100"',
    ]
    return "\n".join(lines) + "\n"


def _target(facts: tuple[FileFacts, ...]) -> list[str]:
    named = Counter(each.target for each in facts if each.target)
    unnamed = [each for each in facts if not each.target]
    assumed = Counter(each.assumed for each in unnamed if each.assumed)
    said = [f"# {_files(len(facts))} of assembly: {_shares(named)}."] if named else []
    if not facts:
        return ["# No file of assembly is here yet.", '# target = "gfx90a"']
    if not unnamed:
        return [*said, '# target = "gfx90a"  # not needed: every file names its own']
    said.append(f"# {_files(len(unnamed))} of {len(facts)} name no target.")
    if len(named) == 1:
        return [*said, f'target = "{next(iter(named))}"']
    likely = next(iter(dict(named.most_common()) or dict(assumed.most_common())), "gfx90a")
    reason = "the others name it" if named else "their instructions fit it, and perhaps others: choose"
    return [*said, f'# target = "{likely}"  # {reason}']


def _include_paths(facts: tuple[FileFacts, ...], folders: dict[str, tuple[str, ...]]) -> list[str]:
    missing = Counter(os.path.basename(name) for each in facts for name in each.missing)
    found = sorted({folders[name][0] for name in missing if len(folders.get(name, ())) == 1})
    lost = sorted(name for name in missing if not folders.get(name))
    lines = ["# Folders that `.include` and `#include` search after that of the file."]
    lines += [f"# Not below this folder: {', '.join(lost[:_LISTED])}"] if lost else []
    listed = ", ".join(f'"{folder}"' for folder in found)
    return [*lines, f"include-paths = [{listed}]" if found else '# include-paths = ["include"]']


def _defines(facts: tuple[FileFacts, ...]) -> list[str]:
    names = Counter(name for each in facts for name in each.undefined)
    lines = ["# Symbols that the build defines, as with `-defsym`."]
    listed = ", ".join(f"{_key(name)} = 0" for name, _ in names.most_common(_LISTED))
    return [*lines, f"# defines = {{ {listed or 'batch_size = 16'} }}"]


_LISTED = 12


def _key(name: str) -> str:
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isascii() and plain.isalnum() else msgspec.json.encode(name).decode()


def _shares(counts: Counter[str]) -> str:
    return ", ".join(f"{count} for {name}" for name, count in counts.most_common())


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
