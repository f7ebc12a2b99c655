"""Evaluates the conditions of the preprocessor around a statement for a target: which of several arms is for it.

A condition is true, false, or unknown (None): most names depend on the build.
"""

import re
from functools import lru_cache

from gcn_lsp import isa

# Pairs of whether a condition must hold, and its text as a preprocessor reads it.
Guard = tuple[tuple[bool, bytes], ...]

_TOKEN = re.compile(rb"\s*(&&|\|\||[!()]|defined\b|\w+|==|!=|[<>]=?|.)", re.DOTALL)
_TARGET = re.compile(r"__(gfx\d+[0-9a-f]*)__")
_GENERATION = re.compile(r"__GFX(\d+)__")
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
    tokens = [token.decode("latin-1") for token in _TOKEN.findall(text[:_LONGEST])]
    reader = _Reader(tokens, target)
    value = reader.either()
    return value if reader.at == len(tokens) else None


class _Reader:
    """Reads a condition; what it does not understand is unknown."""

    def __init__(self, tokens: list[str], target: str) -> None:
        self.tokens = tokens
        self.target = target
        self.at = 0
        self.depth = 0

    def next(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        """The next token, which is read."""
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def either(self) -> "bool | None":
        """A list of conditions with `||`."""
        value = self.both()
        while self.next() == "||":
            self.take()
            other = self.both()
            value = True if value or other else None if value is None or other is None else False
        return value

    def both(self) -> "bool | None":
        """A list of conditions with `&&`."""
        value = self.one()
        while self.next() == "&&":
            self.take()
            other = self.one()
            value = False if value is False or other is False else None if value is None or other is None else True
        return value

    def one(self) -> "bool | None":
        """One condition."""
        token = self.take()
        value: bool | None
        if token == "!":
            value = self.one()
            return None if value is None else not value
        if token == "(":
            self.depth += 1
            if self.depth > 50:
                return None
            value = self.either()
            self.depth -= 1
            if self.take() != ")":
                return None
        elif token == "defined":
            name = self.take()
            if name == "(":
                name = self.take()
                self.take()
            value = self.is_defined(name)
        elif token.isdigit():
            value = int(token) != 0
        else:
            defined = self.is_defined(token)
            value = False if defined is False else True if defined and token.startswith("__gfx") else None
        if self.next() in ("==", "!=", "<", ">", "<=", ">="):
            self.take()
            self.take()
            return None
        return value

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
