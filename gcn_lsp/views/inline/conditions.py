"""Evaluates the conditions of the preprocessor around a statement for a target: which of several arms is for it.

A condition is true, false, or unknown (None): most names depend on the build.
"""

from collections.abc import Sequence
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.patterns import regex
from gcn_lsp.views.c import literals
from gcn_lsp.views.c.expressions import Expression
from gcn_lsp.views.c.lex import Token, TokenKind, Wrong, source_tokens
from gcn_lsp.views.preprocessed import conditions as preprocessor

# Pairs of whether a condition must hold, and its text as a preprocessor reads it.
Guard = tuple[tuple[bool, bytes], ...]

_TARGET = regex(r"__(gfx\d+[0-9a-f]*)__")
_GENERATION = regex(r"__GFX(\d+)__")
# What clang defines, or does not, when it compiles for an AMD GPU.
_DEFINED = frozenset(
    ("__AMDGCN__", "__AMDGPU__", "__AMD__", "__HIP_DEVICE_COMPILE__", "__HIP_PLATFORM_AMD__", "__amdgcn__")
)
_UNDEFINED = frozenset((
    "__CUDA_ARCH__", "__NVCC__", "__CUDACC__", "__NVPTX__", "_MSC_VER", "__x86_64__", "__i386__", "__aarch64__",
    "__SSE__", "__SSE2__", "__AVX__", "__AVX2__", "__AVX512F__", "__HIP_PLATFORM_NVIDIA__",
))  # fmt: skip
_LONGEST = 4096  # bytes of a condition that are read


def holds(guard: Guard, target: str) -> "bool | None":
    """Whether all conditions hold for a target (`gfx942`); None if that depends on something else."""
    result: bool | None = True
    for wanted, text in guard:
        value = _value(text, target)
        if value is None:
            result = None
        elif value is not wanted:
            return False
    return result


def names_targets(guard: Guard) -> bool:
    """Whether a condition depends on the target."""
    return any(_TARGET.search(text.decode("latin-1")) or b"__GFX" in text for _, text in guard)


@lru_cache(maxsize=4096)
def _value(text: bytes, target: str) -> "bool | None":
    try:
        return _InlineCondition(source_tokens(text[:_LONGEST]), target).whole()
    except Wrong:
        return None


class _InlineCondition(Expression["bool | None"]):
    """Knows names, numbers and what combines them by `!`, `&&` and `||`; the value of anything else is unknown."""

    def __init__(self, found: Sequence[Token], target: str) -> None:
        super().__init__(found)
        self.target = target

    def primary(self, token: Token) -> "bool | None":
        if token.text == b"defined":
            name, self.at = preprocessor.defined(self.found, self.at - 1)
            return self.is_defined(name.said)
        if token.kind is TokenKind.NAME:
            is_defined = self.is_defined(token.said)
            return False if is_defined is False else True if is_defined and token.said.startswith("__gfx") else None
        if token.kind is not TokenKind.NUMBER:
            self.unexpected()
        read = literals.number(token.text)
        return None if read is None else read[0] != 0

    def prefixed(self, operator: Token, value: "bool | None") -> "bool | None":
        return not value if operator.text == b"!" and value is not None else None

    def combined(self, operator: Token, left: "bool | None", right: "bool | None", start: int) -> "bool | None":
        if operator.text not in (b"&&", b"||"):
            return None
        decisive = operator.text == b"||"
        if left is decisive or right is decisive:
            return decisive
        return None if left is None or right is None else not decisive

    def chosen(self, condition: "bool | None", first: "bool | None", second: "bool | None") -> "bool | None":
        return None if condition is None else first if condition else second

    def is_defined(self, name: str) -> "bool | None":
        """Whether a name is defined when the target's code is compiled."""
        named = _TARGET.fullmatch(name)
        if named is not None:
            return isa.resolve_target(named[1]) == isa.resolve_target(self.target)
        generation = _GENERATION.fullmatch(name)
        if generation is not None:
            return isa.load_target(self.target).generation == f"GFX{int(generation[1])}"
        if name in _DEFINED:
            return True
        return False if name in _UNDEFINED else None
