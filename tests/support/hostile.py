"""Documents of every kind whose names are hostile, and what no answer about them may hold.

The names have what Markdown, HTML, terminals and CI services act on: a fence, a picture, a link to a command, an
element, an escape sequence, a workflow command, letters that run backwards.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

from tests.support.elf import Part, bundle, code_object

MARK = "zzevil"
PICTURE = f"![x](https://{MARK}/a.png)"
LINK = f"[c](command:{MARK})"
ELEMENT = f"<img src=https://{MARK}/b.png onerror=alert(1)>"
BARE = f"https://{MARK}/c"
FENCE = "```"
UNSEEN = "\x1b[31m\x1b]8;;\x07\u202e\u2066\x9b"
LINES = (FENCE, PICTURE, LINK, ELEMENT, BARE, "::error::" + MARK, "````", "~~~", UNSEEN, f"`{LINK}`", f"``` {PICTURE}")
NAME = f"a`b``c```d {PICTURE} {LINK} {ELEMENT} {BARE} ::error::{MARK} {UNSEEN}"
INCLUDED = f"i`{PICTURE.replace('/', ':')} {LINK} <b>{MARK}.inc"


class HostileFile(NamedTuple):
    """A document: the end of its name, its language, its text. data: of the object whose text it has."""

    name: str
    language: str
    text: str
    data: bytes = b""


_BODY = "\n".join(LINES)
_ASSEMBLY = f"""\
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.include "{INCLUDED}"
.macro m a, b={LINK}
{_BODY}
v_mov_b32 v0, \\a
.endm
.set "{NAME}", 4
"{NAME}2":
  s_branch "{NAME}2"
  v_mov_b32 v1, "{NAME}"
  v_add_f32 v0, v1, "{NAME}3"
  m {PICTURE}, `{LINK}`
  m "{NAME}"
  v_mov_b32 v0, v1 // {NAME}
  {ELEMENT} v0, v1
  .globl "{NAME}2"
  .section "{NAME}", "ax"
  .irp x, {PICTURE}, `{LINK}
  {ELEMENT} \\x
  .endr
  .if "{NAME}4"
  s_nop 0
  .endif
  s_endpgm
.amdgpu_metadata
amdhsa.kernels:
  - .name: '{NAME.replace(UNSEEN, "")}'
    .symbol: 'k`{LINK}'
    .args:
      - .name: '`{PICTURE}'
        .type_name: '`{LINK}`'
        .offset: 0
        .size: 8
        .value_kind: global_buffer
.end_amdgpu_metadata
"""
_PREPROCESSED = f"""\
#include "{INCLUDED}"
#define FIRST(a) {PICTURE} `{LINK}` {ELEMENT} a {FENCE}
#define SECOND "{NAME}"
#if {MARK} == 1 // {NAME}
s_nop 1
#endif
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
FIRST(1)
.set s, SECOND
v_mov_b32 v0, SECOND
#error {NAME}
s_endpgm
"""
_HIP = f"""\
__global__ void k(float *p) {{
  asm volatile("v_mov_b32 %0, %1 // `{LINK}\\n{PICTURE}" : "=v"(p[{MARK}("`{LINK} {PICTURE} {ELEMENT}")]) : "v"(1));
  asm("{FENCE}\\n{PICTURE}\\n v_add_f32 %[x], %[y], `{LINK}" : [x] "=&v"(a) : [y] "v"(`b`), "`{LINK}"(c));
}}
"""
_PYTHON = f"""\
@triton.jit
def k(x):
    y = tl.inline_asm_elementwise(asm="v_mov_b32 $0, $1 // `{LINK}\\n{PICTURE} {ELEMENT}", constraints="=v,v,`{LINK}",
        args=[x], dtype=tl.float32, is_pure=True, pack=1)
"""
_SP3 = f"""\
var a = "{PICTURE}`{LINK}`"
function f(x, y)
  v_mov_b32 v0, x  // {NAME}
  {ELEMENT} v0
end
shader main
  type(CS)
  asic(GFX9)
  f(`{LINK}`, "{PICTURE}")
  s_endpgm
end
"""

_CODE = bytes.fromhex("020002c0000000000002007e000081bf")  # s_load_dword s0; v_mov_b32 v0, s0; s_endpgm
_SYMBOL = f"{NAME}\n{_BODY}\n"
_OBJECT = code_object(
    _CODE,
    [(_SYMBOL, 0, 8, 1), (f"k`{LINK}", 8, 8, 1), (f"{NAME}.kd", 0, 64, 2)],
    [Part(".rodata", bytes(64), 1, 2, 64)],
)
_BUNDLE = bundle((f"hip-amdgcn-amd-amdhsa--gfx942:{NAME}", _OBJECT), (f"`{LINK}\n{PICTURE}", _OBJECT))
_LISTING = f"""\
{PICTURE} `{LINK}`:\tfile format elf64-amdgpu

Disassembly of section .te`{LINK}:

0000000000001000 <{NAME}>:
\ts_load_dword s0, s[4:5], 0x0    // 000000001000: C0020002 00000000
\ts_branch 65535                  // 000000001008: BF82FFFF <`{LINK}+0x{PICTURE}>
\ts_endpgm                        // 00000000100C: BF810000

0000000000001010 <`{LINK}{ELEMENT}>:
\ts_endpgm                        // 000000001010: BF810000
"""

FILES = (
    HostileFile("kernel.s", "gcn", _ASSEMBLY),
    HostileFile(f"`{LINK}{ELEMENT.replace('/', '')}.s", "gcn", _ASSEMBLY.replace(".amdgcn_target", "// ")),
    HostileFile("kernel.S", "gcn", _PREPROCESSED),
    HostileFile("kernel.hip", "hip", _HIP),
    HostileFile("kernel.py", "python", _PYTHON),
    HostileFile("kernel.sp3", "sp3", _SP3),
    HostileFile("kernel.dump", "gcn", _LISTING),
    HostileFile("kernel.hsaco", "gcn", "", _OBJECT),
    HostileFile("kernel.hipfb", "gcn", "", _BUNDLE),
)


def write(folder: Path) -> None:
    """Write the file that the documents include, and a configuration with such names."""
    (folder / INCLUDED).write_text(f"// included {NAME}\n.set included, 4\n#define FROM `{LINK}` {PICTURE}\n")
    (folder / "gcn-lsp.toml").write_text(f"'{LINK}' = 1\nignore = ['`{PICTURE}`']\n")


_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u2028\u2029]")
_ACTIVE = ("link_open", "image", "html_inline", "html_block")
_PARSER = MarkdownIt("commonmark").enable("table")


def active(markdown: str) -> list[str]:
    """What in Markdown is not code or text and comes from a file: a link, a picture, an element, an address."""
    found = []
    for token in _PARSER.parse(markdown):
        for each in (token, *(token.children or ())):
            written = f"{each.content}{each.attrs}"
            if each.type in _ACTIVE and MARK in written:
                found.append(f"{each.type}: {written}")
            if each.type == "text" and f"://{MARK}" in each.content and f"://{MARK}" in markdown:
                found.append(f"an address: {each.content}")
    return found


def wrong(answer: Any, path: str = "") -> Iterator[str]:
    """What is wrong with an answer of a server: Markdown that does something, letters that are not seen."""
    if isinstance(answer, dict):
        if answer.get("kind") == "markdown":
            yield from (f"{path}: {each}" for each in active(answer["value"]))
        if isinstance(answer.get("markdown"), str):
            yield from (f"{path}: {each}" for each in active(answer["markdown"]))
        for key, value in answer.items():
            if key not in _TEXT_OF_THE_FILE or isinstance(value, dict):
                yield from wrong(value, f"{path}.{key}")
    elif isinstance(answer, list):
        for number, each in enumerate(answer):
            yield from wrong(each, f"{path}[{number}]")
    elif isinstance(answer, str) and _UNSEEN.search(answer):
        yield f"{path}: {answer!r} has letters that are not seen"


# Edits and places; the file's own names, by which a client asks or sorts; pages that escape them, of which the tests of
# the command line have the same.
_TEXT_OF_THE_FILE = frozenset(
    (
        *("newText", "uri", "targetUri", "target", "textEdit", "textEditText", "label", "insertText", "changes"),
        *("data", "documentChanges", "edit", "placeholder", "text", "html", "svg", "name", "tooltip", "arguments"),
        *("page", "sortText", "filterText", "kernel", "kernels", "labels", "undefined"),
    )
)
