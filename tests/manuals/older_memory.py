"""Translates what the older manuals say of accesses to memory: `// 32bit tmp = MEM[ADDR]; MEM[ADDR] += DATA; ...`.

The size is in a comment or in the mnemonic, and dwords of the data are counted: `DATA[0:1]` are its low 64 bits.
Code of bytes and halves, and that with parts in braces, is left out.
"""

import re

_SIZE = re.compile(r"//\s?(32|64)bit ")
_NOTE = re.compile(r"//\s?(?:(?:un)?signed compare|(?:32|64)bit)\.?")
_PLACE = r"(?:tmp|src|cmp|sum|MEM\[[^]]*\]|RETURN_DATA(?:\[[\d:]+\])?)"
_STATEMENT = re.compile(rf"({_PLACE}) ([-+&|^]?=) (.+?)(?=;|\.(?: |$)| {_PLACE} [-+&|^]?= )")
_TYPED = re.compile(r"(RETURN_DATA|DATA2?)(?:\[(\d+)(?::(\d+))?\])?(?![\w.])")
_MEMORY = re.compile(r"MEM\[([^]]*)\](?!\.|\[)")
_DWORD = 32


def translated(name: str, text: str) -> str:
    """The statements of the description of an access; empty if there are none that can be read."""
    size = int((_SIZE.search(text) or ("", 0))[1]) or (64 if re.search(r"(?:64|_x2)\b", name) else _DWORD)
    kind = _kind(name)
    statements = re.sub(r"\bD\b(?!\d)", "sum", re.sub(r"(?<=[a-zA-Z])\.f(?:32|64)?\b", "", _NOTE.sub("", text)))
    found = _STATEMENT.findall(statements.strip())
    if not found or re.search(r"\{|\[7:0\]|\[15:0\]|\[(?:23|31):16\]|signext|\.f16|\[[AB]\]", text):
        return ""
    lines = [
        f"{_with_types(place, kind, size)} {sign} {_with_types(value, kind, size)}" for place, sign, value in found
    ]
    return ";\n".join(lines)


def _kind(name: str) -> str:
    """The type that an access compares or adds with."""
    if re.search(r"_(?:smin|smax)\b|_(?:smin|smax)_|_i(?:32|64)\b", name):
        return "i"
    return "f" if re.search(r"_f(?:min|max|cmpswap)\b|_f(?:min|max)_|_f(?:32|64)\b", name) else "u"


def _with_types(text: str, kind: str, size: int) -> str:
    """`DATA[2:3]` as `DATA[127 : 64].u64`; elements are counted where only one number is written."""

    def typed(match: "re.Match[str]") -> str:
        name, first, last = match.groups()
        if first is None or (name == "RETURN_DATA" and last is not None):
            return f"{name}.{kind}{size}"
        low = int(first) * (_DWORD if last is not None else size)
        return f"{name}[{low + size - 1} : {low}].{kind}{size}"

    return _TYPED.sub(typed, _MEMORY.sub(rf"MEM[\1].{kind}{size}", text))
