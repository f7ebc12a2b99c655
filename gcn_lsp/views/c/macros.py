"""Macros of the C preprocessor: their definitions and expansion, as the C standard has them (6.10.3).

In assembly `#` before something that is no parameter is a character, as clang's `-x assembler-with-cpp` has it.
"""

from collections.abc import Mapping, Sequence

import msgspec

from gcn_lsp.views.c.lex import Token, TokenKind, Wrong, tokens

_VARIADIC = b"__VA_ARGS__"
_DEPTH = 100  # of calls in the arguments of calls


class Macro(msgspec.Struct, frozen=True):
    """`#define`: parameters is None for one without parentheses; is_variadic: the last one takes all further arguments.

    text: the body as it is written, for people.
    """

    name: bytes
    parameters: tuple[bytes, ...] | None
    is_variadic: bool
    body: tuple[Token, ...]
    text: bytes = b""

    @property
    def heading(self) -> str:
        """The definition as it is written."""
        given = ""
        if self.parameters is not None:
            names = [name.decode() for name in self.parameters]
            if self.is_variadic:
                names[-1] = "..." if names[-1] == _VARIADIC.decode() else f"{names[-1]}..."
            given = f"({', '.join(names)})"
        return f"#define {self.name.decode('utf-8', 'replace')}{given} {self.text.decode('utf-8', 'replace')}".rstrip()


class Unfinished(Exception):
    """The arguments of a call continue on the next line."""


class Budget:
    """How many more tokens the expansion of a file may make."""

    def __init__(self, tokens: int) -> None:
        self.left = tokens
        self.of_line = 0
        self.depth = 0  # of calls in arguments

    def start_line(self, most: int) -> None:
        """Begin a line, which may make `most` tokens."""
        self.of_line = most

    def take(self, count: int, token: Token) -> None:
        """Count tokens; raises Wrong when there were too many."""
        self.left -= count
        self.of_line -= count
        if self.left < 0 or self.of_line < 0:
            message = f"`{token.said}` expands to too many tokens; it is not expanded"
            raise Wrong(token.start, token.end, message, token.line, "expansion-limit")


def define(found: Sequence[Token], text: bytes) -> Macro:
    """The macro of the tokens after `#define`. Raises Wrong. text: of the logical line."""
    if not found or found[0].kind is not TokenKind.NAME:
        place = found[0] if found else None
        raise Wrong(place.start if place else 0, place.end if place else 0, "`#define` takes the name of a macro")
    name = found[0]
    if name.text == b"defined":
        raise Wrong(name.start, name.end, "`defined` is an operator of `#if` and no name of a macro", name.line)
    if len(found) < 2 or found[1].text != b"(" or found[1].spaced:
        return Macro(name.text, None, False, tuple(found[1:]), text)
    parameters, is_variadic, end = _parameters(found)
    return Macro(name.text, parameters, is_variadic, tuple(found[end:]), text)


def _parameters(found: Sequence[Token]) -> tuple[tuple[bytes, ...], bool, int]:
    """The parameters after `NAME(`, whether the last one takes all further arguments, and the index after the `)`."""
    parameters: list[bytes] = []
    is_variadic = False
    index = 2
    while index < len(found) and found[index].text != b")":
        token = found[index]
        if token.kind is TokenKind.NAME and not is_variadic:
            parameters.append(token.text)
            index += 1
        if [each.text for each in found[index : index + 3]] == [b"."] * 3:
            is_variadic = True
            if token.text == b".":
                parameters.append(_VARIADIC)
            index += 3
        following = found[index].text if index < len(found) else b""
        if following == b"," and not is_variadic and index > 2:
            index += 1
        elif following != b")":
            raise Wrong(token.start, token.end, "a parameter of a macro is a name, or `...` at the end", token.line)
    if index >= len(found):
        name = found[0]
        raise Wrong(name.start, name.end, f"the parameters of `{name.said}` lack a `)`", name.line)
    return tuple(parameters), is_variadic, index + 1


def expand(found: Sequence[Token], macros: Mapping[bytes, Macro], budget: Budget, more: bool = False) -> list[Token]:
    """The tokens after expansion. Raises Wrong, and Unfinished if a call lacks its `)` and `more` could follow."""
    out: list[Token] = []
    waiting = list(reversed(found))
    while waiting:
        token = waiting.pop()
        macro = macros.get(token.text) if token.kind is TokenKind.NAME and token.text not in token.hidden else None
        if macro is None:
            out.append(token)
            continue
        budget.take(1 + len(macro.body), token)
        if macro.parameters is None:
            body = _pasted(macro, {}, {})
            hidden = token.hidden | {macro.name}
            end = token
        else:
            if not waiting and more:
                raise Unfinished
            if not waiting or waiting[-1].text != b"(":
                out.append(token)
                continue
            arguments, end = _arguments(macro, token, waiting, more)
            expanded = _expanded(arguments, macros, budget, token)
            budget.take(sum(map(len, expanded.values())), token)
            body = _pasted(macro, arguments, expanded)
            hidden = (token.hidden & end.hidden) | {macro.name}
        use = (token.line, token.start, end.end if end.line == token.line else token.end)
        for index in range(len(body) - 1, -1, -1):
            made, is_argument = body[index]
            spaced = token.spaced if index == 0 else made.spaced
            line, start, stop = (made.line, made.start, made.end) if is_argument else use
            copied = made.copied if is_argument else False
            waiting.append(Token(made.kind, made.text, spaced, line, start, stop, copied, made.hidden | hidden))
    return out


def _expanded(
    arguments: Mapping[bytes, list[Token]], macros: Mapping[bytes, Macro], budget: Budget, name: Token
) -> dict[bytes, list[Token]]:
    """The arguments of a call after their own expansion. Raises Wrong."""
    if budget.depth == _DEPTH:
        message = f"calls of macros nest more than {_DEPTH} deep; `{name.said}` is not expanded"
        raise Wrong(name.start, name.end, message, name.line, "expansion-limit")
    budget.depth += 1
    try:
        return {parameter: expand(value, macros, budget) for parameter, value in arguments.items()}
    finally:
        budget.depth -= 1


def _arguments(macro: Macro, name: Token, waiting: list[Token], more: bool) -> tuple[dict[bytes, list[Token]], Token]:
    """The arguments by parameter, and the `)`; takes them from the tokens that wait. Raises Wrong, Unfinished."""
    assert macro.parameters is not None
    given: list[list[Token]] = [[]]
    depth = 0
    position = len(waiting) - 1
    while position >= 0:
        token = waiting[position]
        position -= 1
        if token.text == b"(":
            depth += 1
            if depth == 1:
                continue
        elif token.text == b")":
            depth -= 1
            if depth == 0:
                break
        elif token.text == b"," and depth == 1 and not (macro.is_variadic and len(given) >= len(macro.parameters)):
            given.append([])
            continue
        given[-1].append(token)
    else:
        if more:
            raise Unfinished
        message = f"the call of `{_said(macro.name)}` lacks a `)`"
        raise Wrong(name.start, name.end, message, name.line, "macro-arguments")
    end = waiting[position + 1]
    del waiting[position + 1 :]
    count = 0 if len(given) == 1 and not given[0] and not macro.parameters else len(given)
    wanted = len(macro.parameters)
    if count != wanted and not (macro.is_variadic and count == wanted - 1):
        plural = "" if wanted == 1 else "s"
        message = f"`{_said(macro.name)}` takes {wanted} argument{plural}, not {count}"
        raise Wrong(name.start, name.end, message, name.line, "macro-arguments")
    values = dict(zip(macro.parameters, given, strict=False))
    if macro.is_variadic:
        values.setdefault(macro.parameters[-1], [])
    return values, end


def _pasted(
    macro: Macro, arguments: Mapping[bytes, list[Token]], expanded: Mapping[bytes, list[Token]]
) -> list[tuple[Token, bool]]:
    """The body with its arguments, `#` and `##`; and for each token whether it comes from an argument."""
    body = macro.body
    out: list[tuple[Token, bool]] = []
    index = 0
    while index < len(body):
        token = body[index]
        if token.text == b"#" and index + 1 < len(body) and body[index + 1].text in arguments:
            text = _quoted(arguments[body[index + 1].text])
            made = [(msgspec.structs.replace(token, kind=TokenKind.STRING, text=text), False)]
            index += 1
        elif _pastes(body, index):
            index += 1
            continue
        elif token.text in arguments:
            beside = (*body[max(index - 1, 0) : index], *body[index + 1 : index + 2])
            source = arguments if any(each.text == b"##" for each in beside) else expanded
            made = [(each, True) for each in source[token.text]]
            if made:
                made[0] = (msgspec.structs.replace(made[0][0], spaced=token.spaced), True)
        else:
            made = [(token, False)]
        if _pastes(body, index - 1) and out and made:
            left, _ = out.pop()
            joined = tokens(left.text + made[0][0].text)
            made = [(msgspec.structs.replace(each, spaced=left.spaced), False) for each in joined] + made[1:]
        out += made
        index += 1
    return out


def _pastes(body: Sequence[Token], index: int) -> bool:
    """Whether a `##` with something on both sides is at an index."""
    return 0 < index < len(body) - 1 and body[index].text == b"##"


def _quoted(found: Sequence[Token]) -> bytes:
    """Tokens as a string literal."""
    return b'"' + _spelling(found).replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _spelling(found: Sequence[Token]) -> bytes:
    return b"".join((b" " if token.spaced and index else b"") + token.text for index, token in enumerate(found))


def _said(name: bytes) -> str:
    return name.decode("utf-8", "replace")
