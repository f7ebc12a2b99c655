"""Reads target, features, symbols and include paths from the arguments of clang or llvm-mc."""

from collections.abc import Iterator, Sequence

from gcn_lsp.isa.tables import target_id
from gcn_lsp.patterns import regex
from gcn_lsp.project.settings import Settings

_VALUE_OPTIONS = {
    "-mcpu": "target",
    "--offload-arch": "target",
    "--cuda-gpu-arch": "target",
    "-triple": "triple",
    "--target": "triple",
    "-target": "triple",
    "-mattr": "mattr",
    "-defsym": "define",
    "--defsym": "define",
    "-I": "include",
    "-isystem": "include",
    "-iquote": "include",
    "-D": "macro",
}

TARGET_OPTIONS = tuple(name.lstrip("-") for name, kind in _VALUE_OPTIONS.items() if kind in ("target", "triple"))
"""The options that name a target, without their hyphens."""

_JOINED_OPTIONS = ("-isystem", "-iquote", "-I", "-D")

# clang's spelling of a processor's optional features.
_FEATURE_OPTION = regex(r"-m(no-)?(xnack|sramecc|sram-ecc|cumode|wavefrontsize64|tgsplit)$")

_NUMBER = regex(r"[+-]?(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)$")


def read(arguments: Sequence[str]) -> Settings:
    """The settings in an argument list: the first target counts, and all if there are several; of symbols, the last
    value.
    """
    found = _collected(arguments)
    defines = {**_symbols(found["macro"], "1"), **_symbols(found["define"], None)}
    targets = tuple(dict.fromkeys(value for value in found["target"] if value != "native"))
    if not targets:  # the triple's sub-architecture may name it
        targets = tuple(filter(None, map(target_id.named_by_triple, found["triple"][-1:])))
    return Settings(
        target=targets[0] if targets else None,
        targets=targets if len(targets) > 1 else (),
        mattr=",".join(found["mattr"]),
        defines=defines,
        macros={name: text if given else "1" for name, given, text in _parted(found["macro"]) if name},
        include_paths=tuple(dict.fromkeys(found["include"])),
    )


def _collected(arguments: Sequence[str]) -> dict[str, list[str]]:
    """The values of the options that matter here, by what they set, in their order."""
    found: dict[str, list[str]] = {name: [] for name in ("target", "triple", "mattr", "define", "include", "macro")}
    remaining = iter(_unwrap(arguments))
    for argument in remaining:
        feature = _FEATURE_OPTION.match(argument)
        if feature:
            found["mattr"].append(("-" if feature[1] else "+") + feature[2].replace("sram-ecc", "sramecc"))
            continue
        option, separator, value = argument.partition("=")
        kind = _VALUE_OPTIONS.get(option) or _VALUE_OPTIONS.get(option[1:])
        if kind is None or option in _JOINED_OPTIONS:
            joined = next((name for name in _JOINED_OPTIONS if argument.startswith(name)), None)
            if joined is None:
                continue
            kind, value, separator = _VALUE_OPTIONS[joined], argument[len(joined) :], "=" if argument != joined else ""
        if not separator:
            value = next(remaining, "")
        if value:
            found[kind].append(value)
    return found


def split(command: str) -> list[str]:
    """A command line as its arguments; one with an open quote is split at blanks."""
    import shlex  # late: few projects have commands

    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def number(text: str) -> int | None:
    """A whole number as the assembler writes one, None for anything else."""
    if not _NUMBER.match(text):
        return None
    digits = text.lstrip("+-")
    octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
    try:
        value = int(digits, 8 if octal else 0)
    except ValueError:  # 089
        return None
    return -value if text.startswith("-") else value


def _unwrap(arguments: Sequence[str]) -> list[str]:
    """The arguments, with those in `-Wa,...` and `-Xassembler` as separate ones."""
    plain: list[str] = []
    for argument in arguments:
        if argument.startswith("-Wa,"):
            plain += argument[len("-Wa,") :].split(",")
        elif argument not in ("-Xassembler", "-Xclang", "-mllvm"):
            plain.append(argument)
    return plain


def _parted(definitions: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    return (definition.partition("=") for definition in definitions)


def _symbols(definitions: Sequence[str], default: str | None) -> dict[str, int]:
    symbols = {}
    for definition in definitions:
        name, separator, text = definition.partition("=")
        value = number(text if separator else default or "")
        if name and value is not None:
            symbols[name] = value
    return symbols
