"""The endings of names, and the lines, that tell AMD GPU assembly from that for other processors.

`editors/recognition.py` writes these tables into every editor's client. Patterns are in the common dialect of Python,
JavaScript and Oniguruma, limited to what is translated there for Vim, Emacs and `grep`. Case matters.
"""

import os
import re

from gcn_lsp.patterns import regex

# Endings of AMD GPU assembly alone, and endings that assembly for every processor has: there the text decides.
SURE_ENDINGS = (
    "gcn", "amdgcn", "isa",
    *(f"{family}{number}" for family in ("rdna", "cdna") for number in ("", 1, 2, 3, 4)),
)  # fmt: skip
SHARED_ENDINGS = ("s", "asm", "inc")
# Endings of files that are read only where another file includes them.
INCLUDED_ENDINGS = ("inc", "macros", "gcnasm")

# One of these on any line of code is enough: no other processor's assembly has them.
DIRECTIVES = (
    r"^\s*\.(?:amdgcn_target\b|amdhsa_|amdgpu_|amd_amdgpu_|amd_kernel_code_t\b|hsa_code_object_|gpu_\w)",
    r"^\s*amdhsa\.(?:target|version|kernels)\s*:",
)
SIGNS = (
    *DIRECTIVES,
    r"\.amdgcn\.",  # a symbol that LLVM predefines
    r"^\s*\.include\s.*gfx\d",
    r"^\s*asic\(\w",  # SP3, in which trap handlers are written
    # A mnemonic of a family, and how its first operand begins.
    r"^\s*(?:\w+:\s*)?(?:v|s|ds|buffer|tbuffer|global|flat|scratch|image)_[a-z][a-z0-9_]*\s+"
    r"(?:-|\||[vsa]\[|[vsa]\d|vcc|exec|m0|scc|ttmp|0x|\d|\\|\w+cnt\s*\(|off\b|hwreg)",
    r"^\s*s_(?:endpgm|barrier|waitcnt|code_end)\b",
)

# In a comment only the file's target counts.
COMMENT = r"\bgcn-lsp:|-m?cpu=gfx|-mtriple=amdg(?:cn|pu)|\bgfx(?:[6-8]\d\d|9[0-9a-f]{2}|1[0-3][0-9a-f]{2})\b"

# The same for a whole line, with the code in it.
COMMENT_LINE = rf"(?:;|//|/\*|#).*(?:{COMMENT})"

# Signs of another processor, where a file is taken by its name and given back: by VS Code's client and in folders.
OTHER_SIGNS = (
    r"%[er]?(?:[abcd]x|[sd]i|[sb]p|ip)\b|%r\d+|%[xyz]mm\d|%(?:hi|lo|pcrel_\w+)\(",
    r"^\s*\.(?:cfi_\w+|intel_syntax|att_syntax|code(?:16|32|64)|arch|cpu|fpu|thumb\w*|arm|syntax|eabi_attribute|option"
    r"|module|abicalls)\b",
    r"^\s*(?:\w+:\s*)?(?:mov[bwlqz]?\w?|push[lq]?|pop[lq]?|ret[lq]?|call[lq]?|jmp|lea[lq]?|xor[lq]?|int|syscall|hlt)\s+\S",
    r"^\s*(?:\w+:\s*)?(?:ldr|str|ldp|stp|adrp?|bl|blx|bx|svc|li|la|addi|addiu|lui|auipc|jalr?|ecall|mtlr|mflr)\s+\S",
    r"^\s*(?:\w+:\s*)?(?:ret|retq|syscall|ecall|leave|cld|cli|sti|nop)\s*$",
)

HEAD = 1 << 17
"""Bytes at the beginning of a file that are searched for signs."""

_LINE = regex(r"^((?:(?!//|/\*|[;#]).)*)(.*)", re.MULTILINE)  # code and comment
_OURS = regex("|".join(SIGNS))
_COMMENT = regex(COMMENT)
_OTHERS = regex("|".join(OTHER_SIGNS))


# One `^` before all rows that have it: the engine leaves each byte inside a line after one look, three times as fast.
_AT_START = "|".join(row[1:] for row in SIGNS if row.startswith("^"))
_ANYWHERE = regex(
    "|".join((f"^(?:{_AT_START})", *(row for row in SIGNS if not row.startswith("^")), COMMENT_LINE))
    .replace(r"\s", r"[ \t]")
    .encode(),
    re.MULTILINE,
)


def ending(path: str) -> str:
    """The ending of a name in lower case, without the dot."""
    return os.path.splitext(path)[1][1:].lower()


def is_own(text: bytes) -> bool:
    """Whether the first part of a text has a sign of AMD GPU assembly."""
    return _ANYWHERE.search(text, 0, HEAD) is not None


def is_foreign_file(path: str, text: bytes) -> bool:
    """Whether a file whose name any processor's assembly may have is for another one."""
    return ending(path) in SHARED_ENDINGS and not is_own(text) and is_foreign(text)


def is_foreign(text: bytes) -> bool:
    """Whether the first part of a text has signs of another processor, and none of AMD GPUs."""
    found = False
    for code, comment in _LINE.findall(text[:HEAD].decode("utf-8", "replace")):
        if _OURS.search(code) or _COMMENT.search(comment):
            return False
        found = found or _OTHERS.search(code) is not None
    return found
