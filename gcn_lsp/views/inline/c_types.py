"""How many dwords a C expression takes in registers, if its type is plain: a cast or a declaration before it says so.

A type that is not in the table is unknown (0), and nothing is reported that depends on it.
"""

import re

_SCALARS = (
    ("char schar uchar int8_t uint8_t short ushort int16_t uint16_t half _Float16 __half __hip_bfloat16 __bf16", 16),
    ("int uint unsigned int32_t uint32_t float float32_t", 32),
    ("long ulong int64_t uint64_t double", 64),
)
_BITS = {name: bits for names, bits in _SCALARS for name in names.split()}
_ELEMENT = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "half": 16, "int": 32, "uint": 32, "float": 32,
            "long": 64, "ulong": 64, "double": 64}  # fmt: skip
_VECTOR = re.compile(r"(u?(?:char|short|int|long)|half|float|double)(2|3|4|8|16)")
_QUALIFIER = re.compile(r"\b(?:const|volatile|static|constexpr|register|__restrict__|restrict|struct|std::)\b\s*|std::")
_TYPE = r"((?:const\s+|volatile\s+|unsigned\s+|signed\s+|std::)*[A-Za-z_]\w*(?:\s+(?:int|long|char|short))?)"
_CASTS = (
    re.compile(rf"\*\s*\(?\s*reinterpret_cast\s*<\s*{_TYPE}(?:\s+const)?\s*\*\s*>"),
    re.compile(rf"\*\s*\(\s*{_TYPE}(?:\s+const)?\s*\*\s*\)"),
    re.compile(rf"(?:reinterpret|static)_cast\s*<\s*{_TYPE}\s*&?\s*>\s*\([^()]*\)$"),
    re.compile(rf"\(\s*{_TYPE}\s*\)\s*[\w.\[\]]+$"),
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_BEFORE = re.compile(r"([A-Za-z_][\w:]*(?:\s*<[^<>;{}()]*>)?(?:\s+(?:int|long|char|short))?)\s*([*&]*)\s*$")
_NO_TYPE = frozenset(("return", "goto", "else", "typename", "case", "new", "delete", "using", "namespace", "asm"))
POINTER = "*"
"""The type of a pointer of 64 bits, whatever it points to."""
REACH = 8_000  # bytes before a statement that are searched
_TRIES = 40


def width(type_name: str) -> int:
    """The dwords of a type, 0 if it is not plain."""
    if type_name == POINTER:
        return 2
    name = " ".join(_QUALIFIER.sub("", type_name).split())
    if name.startswith(("unsigned ", "signed ")):
        name = name.partition(" ")[2]
    if name in ("long long", "long int", "long long int"):
        name = "long"
    if name in _BITS:
        return _BITS[name] // 32  # one of 16 bits is in half of a register on some targets, in a whole one on others
    vector = _VECTOR.fullmatch(name)
    if vector is None:
        return 0
    count = int(vector[2])
    return (_ELEMENT[vector[1]] * (4 if count == 3 and _ELEMENT[vector[1]] < 32 else count) + 31) // 32


def type_of(expression: str, before: bytes) -> str:
    """The type of an expression after the text `before`: as written, `*` for a pointer, empty if it is not known."""
    expression = expression.strip()
    for cast in _CASTS:
        found = cast.match(expression)
        if found is not None:
            return found[1]
    if _NAME.fullmatch(expression) is None:
        return ""
    return _declared(expression.encode(), before)


def _declared(name: bytes, before: bytes) -> str:
    """The type in the nearest declaration of a variable."""
    at = len(before)
    for _ in range(_TRIES):
        at = before.rfind(name, 0, at)
        if at < 0:
            return ""
        end = at + len(name)
        if _is_word(before[at - 1 : at]) or _is_word(before[end : end + 1]):
            continue
        following = before[end : end + 40].lstrip()[:1]
        if following not in (b";", b"=", b",", b")", b"[", b"{", b"("):
            continue
        line = before[max(0, at - 120) : at].decode("utf-8", "replace")
        found = _BEFORE.search(re.split(r"[;{}(),]", line)[-1])
        if found is None or found[1].split()[0] in _NO_TYPE:
            continue
        if following in (b"[", b"("):
            return ""
        if "*" in found[2]:
            return "" if "__local" in line or "__shared__" in line or "address_space" in line else POINTER
        return found[1]
    return ""


def _is_word(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_"
