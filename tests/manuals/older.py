"""Translates the pseudo-code of the older manuals (Vega to CDNA2, RDNA1 and 2) to that of the newer ones.

The older ones describe an instruction in a cell of a table, code among sentences: `D.u = S0.u + S1.u. No carry-out.`
Statements are found where one begins, and go as far as they can be read. Integers do not wrap before they are assigned.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.manuals import older_memory

_TOKEN = re.compile(
    r"0x[0-9a-fA-F_]+(?:ULL)?|\d+\.\d+f?|\d+(?:U?LL)?|\.{2,3}|[A-Za-z_]\w*|\*\*|<<|>>|<=|>=|==|!=|<>|&&|\|\||\+=|-="
    r"|//|:=|\+-|[-+*/%&|^~!<>=?:;,(){}\[\].]|\S"
)
_BINARY = frozenset(
    ("||", "&&", "|", "^", "&", "==", "!=", "<>", "<", "<=", ">", ">=", "<<", ">>", "+", "-", "*", "/", "%", "**")
)
_LAST_TYPE = re.compile(r"_([uifb])(\d+)(?!.*_[uifb]\d)")
_FIRST_TYPE = re.compile(r"_([uifb])(\d+)")
_SIZES = {"u": "u32", "i": "i32", "f": "f32", "d": "f64"}
_HALF = re.compile(r"([uif])(\d+)(?:_(lo|hi))?$")
_PLACES = frozenset(("D", "SCC", "VCC", "EXEC", "EXEC_LO", "M0", "PC", "SGPR", "VGPR", "MODE"))
_CASTS = {"int": "to_i32", "unsigned": "to_u32", "float": "to_f32", "double": "to_f64"}
_NORMS = {"snorm": "to_snorm", "unorm": "to_unorm"}
_RENAMED = {
    "flt32_to_flt16": "f32_to_f16", "flt16_to_flt32": "f16_to_f32", "uint16_to_flt16": "u16_to_f16",
    "int16_to_flt16": "i16_to_f16", "flt16_to_uint16": "f16_to_u16", "flt16_to_int16": "f16_to_i16",
    "flt32_to_uint8": "f32_to_u8", "int32_to_int16": "i32_to_i16", "uint32_to_uint16": "u32_to_u16",
    "flt16_to_snorm16": "to_snorm", "flt16_to_unorm16": "to_unorm", "Quiet": "cvtToQuietNAN", "isNan": "isNAN",
    "Abs": "abs", "bs": "abs", "Mantissa": "mantissa", "Exponent": "exponent", "bitcount": "bitCount",
    "V_SAD_U8": "SAD_U8", "TwosComplement": "", "threadId": "laneId", "thread_id": "laneId", "ThreadPosition": "laneId",
    "EXEC_LO": "EXEC",
    "IEEE_MODE": "MODE.IEEE", "conditional_debug_system": "STATUS.COND_DBG_SYS",
    "conditional_debug_user": "STATUS.COND_DBG_USER", "QNAN": "NAN", "NaN": "NAN",
}  # fmt: skip
_EXAMPLES = re.compile(r"\b(?:Functional )?[Ee]xamples?:.*")
_DEFINITION = re.compile(r"\bbyte permute\(.*|\bABSDIFF\(x, y\) := \([^)]*\)")
_CLASS = re.compile(
    r"(?P<place>(?:(?:EXEC|VCC) = )+)IEEE numeric class function specified in S1\.u, performed on S0\.(?P<type>\w+)"
)
_CLASSES = {
    "signaling NaN": "isSignalNAN(x)",
    "quiet NaN": "isQuietNAN(x)",
    "negative infinity": "isINF(x) && x < 0.0",
    "negative normal value": "isNORM(x) && x < 0.0",
    "negative denormal value": "isDENORM(x) && x < 0.0",
    "negative zero": "isMinusZero(x)",
    "positive zero": "isPlusZero(x)",
    "positive denormal value": "isDENORM(x) && x > 0.0",
    "positive normal value": "isNORM(x) && x > 0.0",
    "positive infinity": "isINF(x) && x > 0.0",
}
_ADDRESS = re.compile(r"[SV]GPR address appearing in instruction (SRC0|DST) field")
_SPECIAL = {"NAN": "isNAN", "sNaN": "isSignalNAN", "+-INF": "isINF", "+0.0": "isPlusZero", "-0.0": "isMinusZero"}


class Example(NamedTuple):
    """A result that a manual gives: the name in small letters, the sources and the result, as bits."""

    name: str
    sources: tuple[int, ...]
    result: int


def examples(text: str) -> Iterator[Example]:
    """`S_ABS_I32(0x80000001) => 0x7fffffff`."""
    for name, sources, result in re.findall(r"\b([SV]_\w+)\((0x[^()]*)\) => (0x[0-9a-f]+|\d+)", text):
        yield Example(name.lower(), tuple(int(each, 0) for each in sources.split(",")), int(result, 0))


def translated(name: str, text: str) -> str:
    """The statements of the description of an instruction; empty if there is none."""
    text = text.replace("&#124;", "|").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    if re.search(r"\bMEM\[", text) and not name.startswith("v_"):
        return older_memory.translated(name, text)
    if re.search(r"\bjump LABEL\b|hardware-reg", text) or name.startswith("v_permlane"):
        return ""
    numeric = _CLASS.search(text)
    if numeric:
        return _class_of(numeric["place"], _SIZES.get(numeric["type"], numeric["type"]), text)
    text = _DEFINITION.sub("", _EXAMPLES.sub("", text))
    text = _ADDRESS.sub(lambda found: {"SRC0": "S0.addr", "DST": "D.addr"}[found[1]], text)
    text = re.sub(r"(floor\([^)]*\)) is even", r"isEven(\1)", text)
    found = "\n".join(_Reader(name, tuple(_TOKEN.findall(text))).statements())
    return "ROUND_MODE = ROUND_TOWARD_ZERO;\n" + found if found and "rtz" in name else found


def _class_of(place: str, kind: str, text: str) -> str:
    """The test of the classes that a list gives by the bits of S1."""
    source = f"S0.{kind}"
    tests = (
        f"if {_CLASSES[words].replace('x', source)} then\n  result = S1.u32[{number}]\nendif"
        for number, words in re.findall(r"S1\.u\[(\d)\] -- value is (?:a )?([a-z ]*?[a-zN]+)\.", text)
    )
    places = (each.replace("VCC", "D0") for each in re.findall(r"\w+", place))
    assigned = (f"{each}.u64[laneId] = result" for each in places)
    return "\n".join(("result = 1'0U", *tests, *assigned))


class _End(Exception):
    """The text is no code from here on."""


class _Reader:
    def __init__(self, name: str, tokens: tuple[str, ...]) -> None:
        self.name, self.tokens = name, (*tokens, *("",) * 4)
        self.at = 0
        found = _LAST_TYPE.search(name)
        kind, size = (found[1], found[2]) if found else ("b", "32")
        self.size = size
        self.result = (_FIRST_TYPE.search(name) or found or ("", "", "32"))[2]
        self.has_else: list[int] = []  # the depths of conditions whose last alternative has begun
        self.known = {*_RENAMED, "laneId", "threadId", "thread_id", "ThreadPosition", "opcode_size_in_bits"}
        self.type = ("u" if kind == "b" else kind) + size

    def statements(self) -> Iterator[str]:
        depth: list[str] = []
        while self.at < len(self.tokens) - 4:
            start = self.at
            try:
                found = self.statement(depth)
            except _End:
                found = ""
            if found:
                yield found
            elif self.at == start or not found:
                self.at = start + 1
        yield from ("end" + each for each in reversed(depth))

    def statement(self, depth: list[str]) -> str:
        token = self.next().lower() if self.peek() in ("If", "Else") else self.next()
        if token == "for" and self.tokens[self.at + 1] == "in":
            return self.loop(depth)
        if token == "if" or token in ("elsif", "elif") or (token == "else" and self.peek() in ("if", "If")):
            self.at += token == "else"
            if token != "if" and "if" not in depth:
                raise _End
            test = self.expression()
            if self.peek() != "then":
                self.expect_statement()
            else:
                self.next()
            if token == "if":
                depth.append("if")
                return f"if {test} then"
            return f"{self.closed(depth)}elsif {test} then"
        if token == "else" and "if" in depth:
            ended = self.closed(depth)
            self.has_else.append(len(depth))
            return ended + token
        if (token == "endif" or (token == "end" and self.peek() == "if")) and "if" in depth:
            self.at += token == "end"
            self.leave(depth)
            return "endif"
        if token == "endfor" and "for" in depth:
            depth.remove("for")
            return token
        if token == "break":
            self.at += self.peek() == "for"
            return "break"
        if re.match(r"[A-Za-z_]\w*$", token) and (token in _PLACES or re.search("[a-z]", token)):
            return self.assignment(token)
        raise _End

    def closed(self, depth: list[str]) -> str:
        """The ends of inner conditions, which some texts leave out, before another alternative."""
        found = ""
        while self.has_else[-1:] == [len(depth)] and depth.count("if") > 1:
            self.leave(depth)
            found += "endif\n"
        return found

    def leave(self, depth: list[str]) -> None:
        if self.has_else[-1:] == [len(depth)]:
            self.has_else.pop()
        depth.remove("if")

    def expect_statement(self) -> None:
        """After a condition without `then`, and perhaps a comment, a statement begins; else a sentence goes on."""
        if self.peek() == "//":
            while self.peek() not in (*_PLACES, "if", "If", ""):
                self.at += 1
        if self.peek() not in (*_PLACES, "if", "If", "tmp"):
            raise _End

    def loop(self, depth: list[str]) -> str:
        name = self.next()
        self.known.add(name)
        self.next()
        first = self.expression()
        if self.next() not in ("..", "..."):
            raise _End
        last = self.expression()
        if self.next() != "do":
            raise _End
        depth.append("for")
        return f"for {name} in {first} : {last} do"

    def assignment(self, name: str) -> str:
        before = self.tokens[self.at - 2]
        if before == "//" or (before == "." and _HALF.match(_SIZES.get(name, name))):
            raise _End
        if self.peek() in ("=", "[", "+=", "-=") and re.search("[a-z]", name):
            self.known.add(name)
        place = self.path(name)
        sign = self.next()
        if sign not in ("=", "+=", "-="):
            raise _End
        if self.tokens[self.at + 1] in ("=", ".", "[") and self.peek() in _PLACES:
            start = self.at
            try:
                return f"{place} {sign} {self.assignment(self.next())}"  # EXEC = D = ...
            except _End:
                self.at = start
        value = self.expression()
        if place.endswith(".f32") and "f16_to" not in value:  # products of halves are not rounded to halves
            value = re.sub(r"\w+(?:\[[\d :]+\])?\.f16", r"f16_to_f32(\g<0>)", value)
        return f"{place} {sign} {value};"

    # Expressions

    def peek(self) -> str:
        return self.tokens[self.at]

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, token: str) -> None:
        if self.next() != token:
            raise _End

    def expression(self) -> str:
        found = [self.operand()]
        while True:
            token = self.peek()
            if token == "XNOR":
                self.next()
                return f"~({found[0]} ^ {self.operand()})"
            if token in ("==", "=") and self.special():
                test, last = _SPECIAL[self.special()], found[-1]
                self.at += 2 if self.tokens[self.at + 1] in ("NAN", "NaN", "sNaN", "+-") else 3
                self.at += self.tokens[self.at - 1] == "+-"
                # abs(a) == abs(b) == +-INF
                found = [*found[:-3], f"{test}({found[-3]})", "&&"] if found[-2:-1] == ["=="] else found[:-1]
                found.append(f"{test}({last})")
            elif token == "==" and len(found) > 2 and found[-2] == "==":
                found += ["&&", found[-1], self.next()]  # a == b == c
                found.append(self.operand())
            elif token in _BINARY:
                found += [self.next(), self.operand()]
                if token in ("<<", ">>"):
                    found[-1] = re.sub(r"\.i(\d+)$", r".u\1", found[-1])  # a count has no sign
            elif token == "?":
                self.next()
                first = self.expression()
                self.expect(":")
                return f"{' '.join(found)} ? {first} : {self.expression()}"
            elif "_fm" in self.name and [*found[1::2]] == ["*", "+"]:
                return f"fma({found[0]}, {found[2]}, {found[4]})"
            else:
                return " ".join(found)

    def special(self) -> str:
        """The value after `==` that stands for a class of floats."""
        one, two = self.tokens[self.at + 1], self.tokens[self.at + 2]
        if one in ("NAN", "NaN"):
            return "NAN"
        if one == "sNaN":
            return one
        if one == "+-" and two == "INF":
            return "+-INF"
        return one + two if one in "+-" and two == "0.0" else ""

    def operand(self) -> str:
        token = self.next()
        if token == "-" and self.peek() == "0" and self.type[0] == "f":
            self.next()
            return "-0.0"
        if token in ("-", "~", "!"):
            return token + self.operand()
        if token == "+":
            return self.operand()
        if token == "(":
            if self.peek() in {**_CASTS, **_NORMS} and self.tokens[self.at + 1] == ")":
                cast = self.next()
                self.next()
                return f"{({**_CASTS, **_NORMS})[cast]}({self.operand()})"
            inner = self.expression()
            self.expect(")")
            return f"({inner})"
        if token == "{":
            parts = [self.expression()]
            while self.peek() == ",":
                self.next()
                parts.append(self.expression())
            self.expect("}")
            return f"{{ {', '.join(parts)} }}"
        if token[0].isdigit():
            if self.peek() == "'":
                raise _End
            return token.replace("_", "") if token.startswith("0x") else token.replace("f", "F")
        if not re.match(r"[A-Za-z_]", token):
            raise _End
        if self.peek() == "(":
            self.next()
            given = [self.expression()]
            while self.peek() == ",":
                self.next()
                given.append(self.expression())
            self.expect(")")
            if token in ("min", "max") and self.name.startswith("v_pk_"):
                token = f"v_{token}_{self.type}"
            if token == "signext":
                given[0] = re.sub(r"\.u(\d+)$", r".i\1", given[0])
            return f"{_RENAMED.get(token, token)}({', '.join(given)})"
        if token == "N" and re.match(r"s_lshl\d_", self.name):
            return self.name[6]
        path = self.path(token)
        if self.tokens[self.at : self.at + 2] == (".", "exp"):
            self.at += 2
            return f"exponent({path})"
        return path

    def path(self, name: str) -> str:
        """`S0.u[4:0]` with the type that it has, or that the mnemonic gives."""
        kind = ""
        if name == "MODE" and self.peek() == ".":
            self.next()
            return f"MODE.{self.next().upper()}"
        if self.peek() == "." and self.tokens[self.at + 1] == "addr":
            self.at += 2
            return {"D": "VDST", "S0": "SRC0"}.get(name, name)
        if self.peek() == "." and re.match(r"[uifdb]\d*(_lo|_hi)?$|b$", self.tokens[self.at + 1]):
            self.next()
            kind = self.next()
        kind = _SIZES.get(kind, kind)
        half = _HALF.match(kind)
        index = self.index() if self.peek() == "[" and self.tokens[self.at + 1] != "" else ""
        if index and not kind and self.peek() == "." and _HALF.match(self.tokens[self.at + 1]):
            self.next()
            kind = self.next()
            return f"{_named(name)}[{index}].{kind}"
        if name == "opcode_size_in_bits":
            return self.size
        if name in ("overflow", "underflow"):
            return f"{name.upper()}_F{self.size}"
        if name in ("SIMM16", "K") and not kind:
            return (
                f"SIMM16.{'u' if self.name.endswith('_u32') else 'i'}16" if name == "SIMM16" else f"SIMM32.{self.type}"
            )
        if not re.fullmatch(r"D\d?|S\d?|K|VCC|EXEC|EXEC_LO|M0|tmp|SCC|SIMM16", name):
            if kind or (re.search("[a-z]", name) and name not in self.known):
                raise _End
            return _named(name) + (f"[{index}]" if index else "")
        if half and half[3]:
            width = int(half[2])
            low = width if half[3] == "hi" else 0
            return f"{_named(name)}[{low + width - 1} : {low}].{half[1]}{half[2]}"
        if name in ("VCC", "EXEC") and (index or not kind):
            if name == "VCC" and not index and self.name.startswith("v_"):
                index = "laneId"
            return f"{name}.u64[{index}]" if index else name
        if not kind and name in ("D", "S", "S0", "S1", "S2"):
            kind = self.type if self.size != "8" else "u32"
            if name == "D" or index:
                size = self.result if name == "D" else self.size
                kind = "u64" if size == "64" or ":" in index or self.name.startswith("v_cmp") else "u32"
        if not index:
            return f"{_named(name)}.{kind}" if kind else _named(name)
        top, _, end = index.partition(" : ")
        if end.isdigit() and top.isdigit() and int(top) >= int(end):
            bits = int(top) - int(end) + 1
            letter = kind[:1] if kind.startswith("i") or (kind.startswith("f") and bits in (16, 32, 64)) else "u"
            return f"{_named(name)}[{index}].{letter}{bits}"
        width = int(kind[1:] or 32) if kind else 32
        if kind and width < 32 and index.isdigit():
            return f"{_named(name)}[{int(index) * width + width - 1} : {int(index) * width}].{kind}"
        return f"{_named(name)}{'.' + kind if kind else ''}[{index}]"

    def index(self) -> str:
        self.expect("[")
        high = self.expression()
        low = ""
        if self.peek() == ":":
            self.next()
            low = " : " + self.expression()
        self.expect("]")
        return high + low


def _named(name: str) -> str:
    return {"D": "D0", "S": "S0", "K": "SIMM32"}.get(name, _RENAMED.get(name, name))
