"""The lines between `.amdgpu_info` and `.end_amdgpu_info`: resources and calls of a function, for object linking."""

from collections.abc import Iterator

from gcn_lsp.patterns import regex

WORD = ".amdgpu_info"

_NUMBER = (regex(r"[^\"\s].*"), "a number")
_SYMBOL = (regex(r'(?:[A-Za-z_.$?@][\w.$?@]*|"[^"]+")'), "a symbol")
_STRING = (regex(r'"(?:[^"\\]|\\.)*"'), "a string")
ENTRIES = {
    ".amdgpu_flags": _NUMBER,
    ".amdgpu_num_sgpr": _NUMBER,
    ".amdgpu_num_vgpr": _NUMBER,
    ".amdgpu_num_agpr": _NUMBER,
    ".amdgpu_private_segment_size": _NUMBER,
    ".amdgpu_use": _SYMBOL,
    ".amdgpu_call": _SYMBOL,
    ".amdgpu_indirect_call": _STRING,
    ".amdgpu_typeid": _STRING,
}
_COMMENT = regex(r'("(?:[^"\\]|\\.)*")|//.*|/\*.*?\*/|;.*')
_WORD = regex(r"\s*(\S+)\s*(.*?)\s*$")


def mistakes(lines: tuple[bytes, ...]) -> Iterator[tuple[int, int, int, str]]:
    """What is wrong in the lines of a block: the line among them, the columns and the message."""
    for number, line in enumerate(lines):
        # Comments become blanks, so that columns stay; a string is not one.
        text = _COMMENT.sub(lambda match: match[1] or " " * len(match[0]), line.decode("latin-1"))
        match = _WORD.match(text)
        if match is None:
            continue
        word, arguments = match[1], match[2]
        entry = ENTRIES.get(word)
        if entry is None:
            yield number, match.start(1), match.end(1), f"`{word}` is not an entry of `{WORD}`"
        elif not entry[0].fullmatch(arguments):
            yield number, match.start(1), max(match.end(2), match.end(1)), f"`{word}` takes {entry[1]}"
