"""Finds the lines of a file that name a target; an edit costs no more than the edited lines.

Seven kinds of line name a target, three more show how a compiler made the file (`compiled`), and a comment may mention
one. They are searched in the text, not in the interpreted program: the meaning of a line may depend on the target, so
the target must be known before interpretation.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from gcn_lsp.isa import versions
from gcn_lsp.patterns import regex
from gcn_lsp.project import arguments

# In the order in which they apply.
KINDS = ("amdgcn_target", "amd_amdgpu_isa", "amdhsa.target", "hsa_code_object_isa", "comment", "run", "asic")

# Lines that name no target, but how a compiler made the file: its version, and the size of a kernel's waves.
IDENT, PRODUCER, WAVE_SIZE = "ident", "producer", "wavefront_size32"

MENTION = "mention"
"""A name in a comment, `; for gfx942`, which says nothing for sure."""

_HEAD = 32  # lines of a file in which a comment is about all of it

REASONS = {
    "amdgcn_target": "the directive .amdgcn_target names it",
    "amd_amdgpu_isa": "the directive .amd_amdgpu_isa names it",
    "amdhsa.target": "amdhsa.target in the metadata names it",
    "hsa_code_object_isa": "the directive .hsa_code_object_isa names its version",
    "comment": "a comment 'gcn-lsp: target=' names it",
    "run": "the file's RUN line assembles it with -mcpu",
    "asic": "it is the first processor of the family that SP3's `asic` names",
}

# The first processor of each family of SP3; `asic(DEFAULT)` leaves it to the command that assembles the file.
_ASICS = {
    "si": "gfx600", "ci": "gfx700", "vi": "gfx801", "gfx8": "gfx801", "gfx9": "gfx900", "gfx10": "gfx1010",
    "gfx11": "gfx1100", "gfx12": "gfx1200",
}  # fmt: skip

# Text that every hint of a kind contains, in lower case. This search costs a hundredth of trying the patterns, and the
# patterns of other kinds need not even be compiled.
_NEEDLES = {
    "amdgcn_target": b"amdgcn_target",
    "amd_amdgpu_isa": b"amd_amdgpu_isa",
    "amdhsa.target": b"amdhsa.target",
    "hsa_code_object_isa": b"hsa_code_object_isa",
    "comment": b"gcn-lsp:",
    "asic": b"asic(",
    "run": b"run:",
    IDENT: b"lang version ",
    PRODUCER: b"lang version ",
    WAVE_SIZE: b".amdhsa_wavefront_size32",
    MENTION: b"gfx",
}

_TARGET_ID = (
    rb"\s+\"(?:[^\"]*?(?<![0-9a-z]))?"
    rb"(gfx[0-9a-z-]+|amdgpu[0-9][0-9a-z.]*(?:-[^-\"]*){3}-)((?::[a-z]+[+-]|\+[a-z-]+)*)\""
)
_PATTERNS = {
    "amdgcn_target": regex(rb"^(?:.*;)?\s*\.amdgcn_target" + _TARGET_ID, re.IGNORECASE),
    "amd_amdgpu_isa": regex(rb"^(?:.*;)?\s*\.amd_amdgpu_isa" + _TARGET_ID, re.IGNORECASE),
    "amdhsa.target": regex(rb"amdhsa\.target['\"]?\s*:\s*['\"]?[^\s'\"]*-(gfx[0-9a-z-]+)((?::[a-z]+[+-])*)"),
    "hsa_code_object_isa": regex(
        rb"^\s*\.hsa_code_object_isa\s+(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,|;|//|$)", re.IGNORECASE
    ),
    "comment": regex(
        rb"(?:;|//|/\*|#)\s*gcn-lsp:.*?\btargets?\s*=\s*([\w-]+)((?::[a-z]+[+-])*)((?:\s*,\s*gfx[\w-]+(?::[a-z]+[+-])*)*)"
    ),
    "asic": regex(rb"^\s*asic\(\s*(\w+)\s*\)", re.IGNORECASE),
    "run": regex(rb"\bRUN:.*\bllvm-mc(?:-(\d+))?\b(.*)"),
    IDENT: regex(rb"^\s*\.ident\s+\"[^\"]*?\b(?:clang|flang) version (\d{1,4})\b", re.IGNORECASE),
    # In sections such as .comment and .debug_str, by compilers that write no .ident.
    PRODUCER: regex(
        rb"^\s*\.(?:ascii|asciz|string)\s+\"(?:\w+ ){0,2}(?:clang|flang) version (\d{1,4})\.", re.IGNORECASE
    ),
    WAVE_SIZE: regex(rb"^\s*\.amdhsa_wavefront_size32\s+([^;/]*)", re.IGNORECASE),
    # In a line that is a comment, not a line of the preprocessor.
    MENTION: regex(
        rb"^\s*(?:;|//|/\*|\*|#(?!\s*(?:define|undef|if|ifn?def|elif|else|endif|include|pragma|error|line)\b)).*?"
        rb"(?<![0-9a-z_])(gfx[0-9]+[0-9a-f]*(?:-[0-9-]*generic)?)(?![0-9a-z_])",
        re.IGNORECASE,
    ),
}


class Hint(msgspec.Struct, frozen=True):
    """A line that names a target: its kind, the name and features as written, and the place of the name.

    Where it names none (`IDENT`, `PRODUCER`, `WAVE_SIZE`), `target` is the number or expression that it has instead.
    targets: all that it names, with their features, if several.
    """

    kind: str
    target: str
    mattr: str
    defines: tuple[tuple[str, int], ...]
    line: int
    start: int
    end: int
    targets: tuple[str, ...] = ()


class TargetHints(msgspec.Struct, frozen=True):
    """The hints of a file in the order of its lines."""

    hints: tuple[Hint, ...]

    @staticmethod
    def of(lines: Sequence[bytes]) -> "TargetHints":
        """The hints in all of `lines`."""
        return TargetHints(tuple(_scan(lines, 0)))

    def after_edit(self, first: int, removed: int, new_lines: Sequence[bytes]) -> "TargetHints":
        """The hints after `new_lines` replace `removed` lines from line `first`."""
        new = tuple(_scan(new_lines, first))
        shift = len(new_lines) - removed
        if not self.hints or (not new and not shift and not self._any_on(first, removed)):
            return TargetHints(new) if new else self
        before = tuple(hint for hint in self.hints if hint.line < first)
        after = (hint for hint in self.hints if hint.line >= first + removed)
        moved = (msgspec.structs.replace(hint, line=hint.line + shift) if shift else hint for hint in after)
        return TargetHints((*before, *new, *moved))

    def first_of_each_kind(self) -> Iterator[Hint]:
        """The first hint of every kind, in the order in which the kinds apply.

        A file may have several RUN lines for several targets; the first one counts.
        """
        for kind in KINDS:
            yield from islice(self.of_kind(kind), 1)

    def mentioned(self) -> Iterator[Hint]:
        """The targets that comments at the head of the file mention."""
        return (hint for hint in self.of_kind(MENTION) if hint.line < _HEAD)

    def of_kind(self, kind: str) -> Iterator[Hint]:
        """The hints of one kind in the order of their lines."""
        return (hint for hint in self.hints if hint.kind == kind)

    def _any_on(self, first: int, count: int) -> bool:
        return any(first <= hint.line < first + count for hint in self.hints)


def _version(digits: bytes | None) -> int | None:
    """The LLVM version suffix of a program name (`clang-22`), if supported."""
    version = int(digits) if digits else None
    return version if version in versions.VERSIONS else None


def mattr_of_features(features: str) -> str:
    """The features of a target ID, `:sramecc+:xnack-`, as in `-mattr`: `+sramecc,-xnack`.

    Code object version 3 writes `+sram-ecc+xnack`.
    """
    if features.startswith("+"):
        return ",".join("+" + feature.replace("-", "") for feature in features.split("+") if feature)
    return ",".join(feature[-1] + feature[:-1] for feature in features.split(":") if feature)


def _scan(lines: Sequence[bytes], first: int) -> Iterator[Hint]:
    text = b"\n".join(lines).lower()
    numbers = set()
    for needle in dict.fromkeys(_NEEDLES.values()):
        number, counted, found = 0, 0, text.find(needle)
        while found >= 0:
            number += text.count(b"\n", counted, found)
            numbers.add(number)
            counted, found = found, text.find(needle, found + 1)
    for number in sorted(numbers):
        yield from _hints_on(lines[number], first + number)


def _hints_on(text: bytes, number: int) -> Iterator[Hint]:
    lowered = text.lower()
    for kind, pattern in _PATTERNS.items():
        match = pattern.search(text) if _NEEDLES[kind] in lowered else None
        if match is None:
            continue
        if kind == "hsa_code_object_isa":
            major, minor, stepping = (int(part) for part in match.groups())
            yield Hint(kind, f"gfx{major}{minor}{stepping:x}", "", (), number, match.start(1), match.end(3))
        elif kind == "asic":
            name = match[1].decode("utf-8", "replace").lower()
            target = _ASICS.get(name, name if name.startswith("gfx") else "")
            if target:
                yield Hint(kind, target, "", (), number, match.start(1), match.end(1))
        elif kind in (IDENT, PRODUCER, WAVE_SIZE, MENTION):
            written = match[1].decode("utf-8", "replace").strip()
            yield Hint(kind, written, "", (), number, match.start(1), match.end(1))
        elif kind == "run":
            found = arguments.read(arguments.split(match[2].decode("utf-8", "replace").partition("|")[0]))
            if found.target:
                start = text.find(found.target.encode(), match.start(2))
                defines = tuple(found.defines.items())
                mattr = versions.with_switch(found.mattr, _version(match[1]))
                yield Hint(kind, found.target, mattr, defines, number, start, start + len(found.target))
        else:
            target = match[1].decode("utf-8", "replace")
            mattr = mattr_of_features(match[2].decode())
            listed: tuple[str, ...] = ()
            if kind == "comment" and match[3]:
                listed = tuple(name.strip() for name in match[0][match.start(1) - match.start() :].decode().split(","))
            yield Hint(kind, target, mattr, (), number, match.start(1), match.end(1), listed)
