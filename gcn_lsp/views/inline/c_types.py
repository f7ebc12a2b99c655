"""How many dwords a C expression takes in registers, if its type is plain: a cast or a declaration before it says so.

A type that is neither in the table nor an alias that the file defines once is unknown (0), and nothing is reported that
depends on it.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from gcn_lsp.patterns import regex

_SCALARS = (
    ("char schar uchar int8_t uint8_t short ushort int16_t uint16_t half _Float16 __half __hip_bfloat16 __bf16", 16),
    ("int uint unsigned int32_t uint32_t float float32_t", 32),
    ("long ulong int64_t uint64_t double", 64),
    ("__int128", 128),
)
_BITS = {name: bits for names, bits in _SCALARS for name in names.split()}
_ELEMENT = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "half": 16, "int": 32, "uint": 32, "float": 32,
            "long": 64, "ulong": 64, "double": 64}  # fmt: skip
_VECTOR = regex(r"(u?(?:char|short|int|long)|half|float|double)(2|3|4|8|16)")
_QUALIFIER = regex(r"\b(?:const|volatile|static|constexpr|register|__restrict__|restrict|struct|std::)\b\s*|std::")
_TYPE = r"((?:const\s+|volatile\s+|unsigned\s+|signed\s+|std::)*[A-Za-z_]\w*(?:\s+(?:int|long|char|short))?)"
_CASTS = (
    regex(rf"\*\s*\(?\s*reinterpret_cast\s*<\s*{_TYPE}(?:\s+const)?\s*\*\s*>"),
    regex(rf"\*\s*\(\s*{_TYPE}(?:\s+const)?\s*\*\s*\)"),
    regex(rf"(?:reinterpret|static)_cast\s*<\s*{_TYPE}\s*&?\s*>\s*\([^()]*\)$"),
    regex(rf"\(\s*{_TYPE}\s*\)\s*[\w.\[\]]+$"),
)
_NAME = regex(r"[A-Za-z_]\w*")
_POINTED = regex(r"\*\s*([A-Za-z_]\w*)|([A-Za-z_]\w*)\s*\[[^\[\]]*\]")
_ARRAY = regex(rb"\s*\[[^\[\]]*\]\s*[;=,){]")
_BEFORE = regex(r"([A-Za-z_][\w:]*(?:\s*<[^<>;{}()]*>)?(?:\s+(?:int|long|char|short))?)\s*([*&]*)\s*$")
# An attribute in a declaration itself, which makes a vector of the type beside it.
_SIZED = regex(r"(?:ext_vector_type|vector_size)(?:__)?\s*\([^;{}]*\)\s*\)\s*\)[^;{}(),]*$")
_RESTRICT = regex(r"\b(?:__restrict__|__restrict|restrict)\s*$")
_NO_TYPE = frozenset(("return", "goto", "else", "typename", "case", "new", "delete", "using", "namespace", "asm"))
POINTER = "*"
"""The type of a pointer of 64 bits, whatever it points to."""
REACH = 8_000  # bytes before a statement that are searched
_TRIES = 40
_BYTE, _OF_BYTES = 8, frozenset(("char", "schar", "uchar", "int8_t", "uint8_t"))


_NONE: Mapping[str, int] = MappingProxyType({})
_SIZE = (
    rb"__attribute__\s*\(\(\s*(?:__)?(?P<kind>ext_vector_type|vector_size)(?:__)?\s*"
    rb"\((?P<size>[^();]*(?:\([^()]*\))?[^();]*)\)\s*\)\)"
)
_BASE = rb"(?P<base>(?:(?:const|unsigned|signed|long|std::)\s*)*[A-Za-z_]\w*(?:\s+(?:int|long|char|short))?)"
_WORD = rb"(?P<name>[A-Za-z_]\w*)"
_ALIASES = tuple(
    regex(rb"\b" + rb"\s*".join(parts) + rb"\s*;")
    for parts in (
        (rb"typedef\s", _BASE + rb"\s", _WORD, _SIZE),
        (rb"typedef\s", _BASE, _SIZE, _WORD),
        (rb"typedef\s", _SIZE, _BASE + rb"\s", _WORD),
        (rb"using\s", _WORD, rb"=", _BASE, _SIZE),
        (rb"using\s", _WORD, rb"=", _SIZE, _BASE),
    )
)
_COUNT = regex(rb"\s*(\d{1,3})\s*")
_BYTES = regex(rb"\s*(\d{1,3})\s*(?:\*\s*sizeof\s*\(([^()]*)\))?\s*|\s*sizeof\s*\(([^()]*)\)\s*\*\s*(\d{1,3})\s*")


def aliases(source: bytes) -> Mapping[str, int]:
    """The dwords of vector types that a source names: 0 for a name that it gives to several widths."""
    found: dict[str, int] = {}
    for pattern in _ALIASES if b"vector_" in source else ():
        for match in pattern.finditer(source):
            name = match["name"].decode("utf-8", "replace")
            dwords = _vector(match["kind"], match["size"], match["base"].decode("utf-8", "replace"))
            found[name] = dwords if found.get(name, dwords) == dwords else 0
    return found


def _vector(kind: bytes, size: bytes, base: str) -> int:
    """The dwords of a vector of a plain type; 0 if they do not follow from numbers alone."""
    bits = _bits(base)
    if kind == b"ext_vector_type":
        count = _COUNT.fullmatch(size)
        return (bits * int(count[1]) + 31) // 32 if count is not None else 0
    read = _BYTES.fullmatch(size)
    if read is None or not bits:
        return 0
    number, of = int(read[1] or read[4]), read[2] or read[3]
    unit = _bits(of.decode("utf-8", "replace")) // 8 if of is not None else 1
    return (number * unit + 3) // 4


def _bits(type_name: str) -> int:
    """The bits of an element of a vector."""
    name = _plain(type_name)
    return _BYTE if name in _OF_BYTES else _BITS.get(name, 0)


def width(type_name: str, known: Mapping[str, int] = _NONE) -> int:
    """The dwords of a type, 0 if it is not plain. known: those of aliases."""
    if type_name == POINTER:
        return 2
    name = _plain(type_name)
    if name in known:
        return known[name]
    if name in _BITS:
        return _BITS[name] // 32  # one of 16 bits is in half of a register on some targets, in a whole one on others
    vector = _VECTOR.fullmatch(name)
    if vector is None:
        return 0
    count = int(vector[2])
    return (_ELEMENT[vector[1]] * (4 if count == 3 and _ELEMENT[vector[1]] < 32 else count) + 31) // 32


def _plain(type_name: str) -> str:
    """A type without qualifiers and signs."""
    name = " ".join(_QUALIFIER.sub("", type_name).split())
    if name.startswith(("unsigned ", "signed ")):
        name = name.partition(" ")[2]
    return "long" if name in ("long long", "long int", "long long int") else name


def type_of(expression: str, before: bytes) -> str:
    """The type of an expression after the text `before`: as written, `*` for a pointer, empty if it is not known."""
    expression = expression.strip()
    for cast in _CASTS:
        found = cast.match(expression)
        if found is not None:
            return found[1]
    element = _POINTED.fullmatch(expression)
    if element is not None:
        return _declared((element[1] or element[2]).encode(), before, is_element=True)
    if _NAME.fullmatch(expression) is None:
        return ""
    return _declared(expression.encode(), before)


def _declared(name: bytes, before: bytes, *, is_element: bool = False) -> str:
    """The type in the nearest declaration of a variable, or of what it points to or is an array of."""
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
        if _SIZED.search(line):
            return ""
        found = _BEFORE.search(_RESTRICT.sub("", re.split(r"[;{}(),]", line)[-1]))
        if found is None or found[1].split()[0] in _NO_TYPE:
            continue
        if is_element:
            is_array = _ARRAY.match(before, end) is not None
            return found[1] if (found[2], is_array) in (("*", False), ("", True)) else ""
        if following in (b"[", b"("):
            return ""
        if "*" in found[2]:
            return "" if "__local" in line or "__shared__" in line or "address_space" in line else POINTER
        return found[1]
    return ""


def _is_word(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_"
