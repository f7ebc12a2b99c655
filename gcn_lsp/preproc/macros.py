"""Macros: their headers, the arguments of a call, and the substitution in a body, in LLVM's manner."""

import bisect
import re
from collections.abc import Callable
from operator import itemgetter

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple


class Parameter(msgspec.Struct, frozen=True, gc=False):
    """A formal argument; `default` is empty when it has none."""

    name: str
    default: bytes = b""
    required: bool = False
    vararg: bool = False


class Macro(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A macro by its content, not its place: two with the same text are equal."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[bytes, ...]


class ArgumentError(NamedTuple):
    """What is wrong with a header or a call, at bytes `start` to `end` of the text that was parsed.

    An empty message: it was reported already, or depends on the build.
    """

    start: int
    end: int
    message: str


class SubstitutedBytes(NamedTuple):
    """Bytes `start` to `end` of a substituted line came from `source_start` to `source_end` of the body line."""

    start: int
    end: int
    source_start: int
    source_end: int
    is_argument: bool


_IDENTIFIER = regex(rb"[A-Za-z_.$@?][A-Za-z0-9_.$@?]*")
_TOKEN = regex(
    rb'[ \t]+|"(?:\\.|[^"\\])*"|0[xX][0-9a-fA-F]+|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9A-Za-z_]*'
    rb"|[A-Za-z_.$@?][A-Za-z0-9_.$@?#]*|\|\||&&|<<|>>|==|!=|<>|<=|>=|[\xc0-\xff][\x80-\xbf]+|.",
    re.DOTALL,
)
# A blank before one of these does not end an argument (LLVM: isOperator in AsmParser.cpp).
_OPERATORS = frozenset((b"+ - ~ / * . = == | || ^ & && ! != < <= << <> > >= >>").split(b" "))
_STRING = regex(rb'"(?:\\.|[^"\\])*"', re.DOTALL)
# With `.altmacro` a bare name is a parameter too, and a `&` after it is removed.
_ALTERNATE_REFERENCE = regex(rb"\\(?:(\(\))|(@)|(\+)|([A-Za-z0-9_.$]+)&?)|([A-Za-z0-9_.$]+)&?")
_REFERENCE = regex(rb"\\(?:(\(\))|(@)|(\+)|([A-Za-z0-9_.$]+))")


def parse_header(text: bytes) -> "tuple[str, tuple[Parameter, ...]] | ArgumentError":
    """The name and parameters in the arguments of a `.macro` directive."""
    tokens = _tokens(text)
    if not tokens or _IDENTIFIER.fullmatch(tokens[0][1]) is None:
        return ArgumentError(0, max(1, len(text)), "a macro needs a name")
    name = tokens[0][1].decode("utf-8", "replace")
    index = 1
    parameters: list[Parameter] = []
    while True:
        index = _skip(tokens, index, b",") if index == 1 else _blank(tokens, index)
        if index >= len(tokens):
            return name, tuple(parameters)
        start, token = tokens[index]
        end = start + len(token)
        if parameters and parameters[-1].vararg:
            return ArgumentError(start, len(text), f"the vararg parameter `{parameters[-1].name}` must be the last")
        if _IDENTIFIER.fullmatch(token) is None:
            return ArgumentError(start, end, f"`{token.decode('utf-8', 'replace')}` is not a parameter name")
        parameter = token.decode("utf-8", "replace")
        if any(other.name == parameter for other in parameters):
            return ArgumentError(start, end, f"macro `{name}` already has a parameter `{parameter}`")
        index = _blank(tokens, index + 1)
        required = vararg = False
        default = b""
        if index < len(tokens) and tokens[index][1] == b":":
            index = _blank(tokens, index + 1)
            qualifier = tokens[index][1] if index < len(tokens) else b""
            if qualifier not in (b"req", b"vararg"):
                at = tokens[index][0] if index < len(tokens) else len(text)
                return ArgumentError(
                    start, max(end, at + len(qualifier)), f"`{parameter}:` takes only `req` or `vararg`"
                )
            required, vararg = qualifier == b"req", qualifier == b"vararg"
            index = _blank(tokens, index + 1)
        if index < len(tokens) and tokens[index][1] == b"=":
            default, index, problem = _argument(tokens, _blank(tokens, index + 1), len(text))
            if problem is not None:
                return problem
        parameters.append(Parameter(parameter, default, required, vararg))
        index = _skip(tokens, index, b",")


# Evaluates the expression at a byte of the text: its value as text and its end; None after reporting a problem.
ExpressionValue = Callable[[int], "tuple[bytes, int] | None"]


def parse_arguments(
    text: bytes, macro: "Macro | None", alternate: "ExpressionValue | None" = None
) -> "tuple[tuple[bytes, ...], ArgumentError | None]":
    """The argument values of a call of `macro` in the order of its parameters; without a macro, all arguments.

    `alternate` is given under `.altmacro`: then `%expression` is evaluated and `<text>` is taken literally. With an
    error, the values are those found up to it.
    """
    tokens = _tokens(text)
    parameters = macro.parameters if macro is not None else ()
    values: list[bytes] = [b""] * len(parameters)
    index = _blank(tokens, 0)
    named = False
    position = 0
    while not parameters or position < len(parameters):
        slot = position
        if _is_named(tokens, index):
            named = True
            found = _slot_of(tokens[index], macro, position)
            if isinstance(found, ArgumentError):
                return tuple(values), found
            slot = found
            index = _blank(tokens, _blank(tokens, index + 1) + 1)
        elif named and index < len(tokens):
            start, token = tokens[index]
            return tuple(values), ArgumentError(
                start, start + len(token), "a positional argument cannot follow a keyword argument"
            )
        if parameters and position == len(parameters) - 1 and parameters[-1].vararg:
            value, index = text[_start(tokens, index, text) :], len(tokens)
        elif alternate is not None and index < len(tokens) and tokens[index][1] in (b"%", b"<"):
            evaluated = _alternate_argument(tokens[index], text, alternate)
            if evaluated is None:
                return tuple(values), ArgumentError(tokens[index][0], len(text), "")
            value, end = evaluated
            index = bisect.bisect_left(tokens, end, index, key=itemgetter(0))
        else:
            value, index, problem = _argument(tokens, index, len(text))
            if problem is not None:
                return tuple(values), problem
        _put(values, slot, value, is_listed=not parameters and index < len(tokens))
        index = _blank(tokens, index)
        if index >= len(tokens):
            return _with_defaults(values, parameters, macro, text)
        index = _skip(tokens, index, b",")
        position += 1
    if index >= len(tokens):  # a comma at the end of the line
        return _with_defaults(values, parameters, macro, text)
    assert macro is not None
    return tuple(values), ArgumentError(
        tokens[index][0], len(text), f"macro `{macro.name}` takes {len(parameters)} arguments; this is one too many"
    )


def _start(tokens: "list[tuple[int, bytes]]", index: int, text: bytes) -> int:
    """Where a token starts; the end of the text after the last one."""
    return tokens[index][0] if index < len(tokens) else len(text)


def _slot_of(token: tuple[int, bytes], macro: "Macro | None", position: int) -> "int | ArgumentError":
    """The place of the parameter that a keyword argument names."""
    start, word = token
    name = word.decode("utf-8", "replace")
    if macro is None:
        return position
    slot = next((i for i, parameter in enumerate(macro.parameters) if parameter.name == name), None)
    if slot is None:
        return ArgumentError(start, start + len(word), f"macro `{macro.name}` has no parameter `{name}`")
    return slot


def _alternate_argument(
    token: tuple[int, bytes], text: bytes, evaluate: "ExpressionValue"
) -> "tuple[bytes, int] | None":
    """The value of `%expression` or `<text>`, and where it ends; None if the expression has no value."""
    start, sign = token
    return evaluate(start + 1) if sign == b"%" else _angle_text(text, start)


def _put(values: list[bytes], slot: int, value: bytes, is_listed: bool) -> None:
    """Keep a value at its parameter. is_listed: an empty one is an argument, too."""
    if value and slot < len(values):
        values[slot] = value
    elif value or is_listed:
        values.append(value)


def _angle_text(text: bytes, start: int) -> tuple[bytes, int]:
    """The text between `<` at `start` and its `>`; `!` makes the next character literal."""
    found = bytearray()
    position = start + 1
    while position < len(text) and text[position] != 0x3E:
        if text[position] == 0x21 and position + 1 < len(text):
            position += 1
        found.append(text[position])
        position += 1
    return bytes(found), min(position + 1, len(text))


def _with_defaults(
    values: list[bytes], parameters: tuple[Parameter, ...], macro: "Macro | None", text: bytes
) -> "tuple[tuple[bytes, ...], ArgumentError | None]":
    if macro is not None and not parameters and any(values):
        message = f"macro `{macro.name}` takes no arguments"
        return (), ArgumentError(0, len(text), message)
    for index, parameter in enumerate(parameters):
        if values[index]:
            continue
        if parameter.required and macro is not None:
            return tuple(values), ArgumentError(
                0, len(text), f"macro `{macro.name}` needs a value for its parameter `{parameter.name}`"
            )
        values[index] = parameter.default
    return tuple(values), None


def parameter_names(macro: Macro) -> tuple[bytes, ...]:
    """The names to be replaced in the body."""
    return tuple(parameter.name.encode("utf-8", "surrogateescape") for parameter in macro.parameters)


def replacements(macro: Macro, values: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The value of each parameter in the body: strings lose their quotes, except in a vararg."""
    return tuple(
        value if parameter.vararg or b'"' not in value else unquote(value)
        for parameter, value in zip(macro.parameters, values, strict=False)
    )


class Substitution(NamedTuple):
    """The replacements in the lines of an expansion: `names` by `values`, `\\\\@` by `counter` (None: it remains).

    alternate: `.altmacro` is on, so bare names are replaced too. expansions: replaces `\\\\+`: earlier expansions of
    this macro, or steps of this repetition.
    """

    names: tuple[bytes, ...]
    values: tuple[bytes, ...]
    counter: "int | None" = None
    alternate: bool = False
    expansions: int = 0


def substitute(line: bytes, substitution: Substitution) -> bytes:
    r"""`line` of a body with `\name` replaced by values, `\()` by nothing and `\@` by the number of this call."""
    if substitution.alternate:
        return _ALTERNATE_REFERENCE.sub(lambda match: _replacement(match, substitution), line)
    if b"\\" not in line:
        return line
    return _REFERENCE.sub(lambda match: _replacement(match, substitution), line)


def length_of(line: bytes, substitution: Substitution, most: int) -> int:
    """The length of `substitute(line, substitution)`, found without making it; of one over `most`, some such number."""
    pattern = _ALTERNATE_REFERENCE if substitution.alternate else _REFERENCE
    found = len(line)
    for match in pattern.finditer(line):
        found += len(_replacement(match, substitution)) - len(match.group())
        if found > most + len(line):
            break
    return found


def segments(line: bytes, substitution: Substitution) -> tuple[SubstitutedBytes, ...]:
    """The mapping of bytes of `substitute(line, substitution)` to those of `line`."""
    found: list[SubstitutedBytes] = []
    source = target = 0
    pattern = _ALTERNATE_REFERENCE if substitution.alternate else _REFERENCE
    for match in pattern.finditer(line):
        replacement = _replacement(match, substitution)
        if replacement == match.group():
            continue
        start, end = match.span()
        if start > source:
            found.append(SubstitutedBytes(target, target + start - source, source, start, False))
            target += start - source
        found.append(SubstitutedBytes(target, target + len(replacement), start, end, True))
        target += len(replacement)
        source = end
    found.append(SubstitutedBytes(target, target + len(line) - source, source, len(line), False))
    return tuple(found)


def to_source(start: int, end: int, mapping: tuple[SubstitutedBytes, ...]) -> tuple[int, int]:
    """The span of the body line that bytes `start` to `end` of the substituted line came from."""
    starts = [segment for segment in mapping if segment.start <= start <= segment.end]
    ends = [segment for segment in mapping if segment.start <= end <= segment.end]
    if not starts or not ends:
        return mapping[0].source_start, mapping[-1].source_end
    first = next((segment for segment in starts if start < segment.end), starts[-1])
    last = ends[0]
    source_start = first.source_start if first.is_argument else first.source_start + start - first.start
    source_end = last.source_end if last.is_argument else last.source_start + end - last.start
    return (source_start, source_end) if source_start <= source_end else (source_start, first.source_end)


def _replacement(match: re.Match[bytes], substitution: Substitution) -> bytes:
    if match.group(1) is not None:
        return b""
    if match.group(3) is not None:
        return str(substitution.expansions).encode()
    if match.group(2) is not None:
        return match.group() if substitution.counter is None else str(substitution.counter).encode()
    name = match.group(match.lastindex or 0)
    return substitution.values[substitution.names.index(name)] if name in substitution.names else match.group()


def unquote(value: bytes) -> bytes:
    """An argument with each string in it replaced by what is between its quotes."""
    return _STRING.sub(lambda match: match.group()[1:-1], value)


def is_identifier(text: bytes) -> bool:
    """Whether `text` can name a parameter or a symbol."""
    return _IDENTIFIER.fullmatch(text) is not None


def _tokens(text: bytes) -> list[tuple[int, bytes]]:
    return [(match.start(), match.group()) for match in _TOKEN.finditer(text)]


def _is_blank(token: bytes) -> bool:
    return token[:1] in (b" ", b"\t")


def _blank(tokens: list[tuple[int, bytes]], index: int) -> int:
    while index < len(tokens) and _is_blank(tokens[index][1]):
        index += 1
    return index


def _skip(tokens: list[tuple[int, bytes]], index: int, token: bytes) -> int:
    """The index after blanks and at most one `token`."""
    index = _blank(tokens, index)
    if index < len(tokens) and tokens[index][1] == token:
        index = _blank(tokens, index + 1)
    return index


def _is_named(tokens: list[tuple[int, bytes]], index: int) -> bool:
    if index >= len(tokens) or _IDENTIFIER.fullmatch(tokens[index][1]) is None:
        return False
    following = _blank(tokens, index + 1)
    return following < len(tokens) and tokens[following][1] == b"="


def _argument(tokens: list[tuple[int, bytes]], index: int, end: int) -> "tuple[bytes, int, ArgumentError | None]":
    """One argument from token `index`: its text without blanks outside parentheses, and the token after it."""
    parts: list[bytes] = []
    depth = 0
    opened = 0
    while index < len(tokens):
        start, token = tokens[index]
        if token == b"=":
            return b"", index, ArgumentError(start, start + 1, "`=` needs the name of a parameter before it")
        if depth == 0:
            if token == b",":
                break
            blank = _is_blank(token)
            if blank:
                index += 1
                if index >= len(tokens):
                    break
                start, token = tokens[index]
            if token in _OPERATORS and token != b"=":
                parts.append(token)
                index = _blank(tokens, index + 1)
                continue
            if blank:
                break
        if token == b"(":
            opened = start if depth == 0 else opened
            depth += 1
        elif token == b")" and depth:
            depth -= 1
        parts.append(token)
        index += 1
    if depth:
        return b"".join(parts), index, ArgumentError(opened, end, "this parenthesis is not closed")
    return b"".join(parts), index, None
