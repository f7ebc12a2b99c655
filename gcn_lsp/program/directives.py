"""The directives that put bytes into sections, choose sections, or describe symbols and kernels.

One table says which directives there are and what kind of thing each does; `gcn_lsp.program.chunk` carries them out.
"""

import re

from gcn_lsp.preproc.interpreter import DIRECTIVES as PREPROCESSOR_DIRECTIVES
from gcn_lsp.syntax.expressions import PART, section_of

# Bytes of one value.
INTEGERS = {
    ".byte": 1, ".dc.b": 1,
    ".2byte": 2, ".short": 2, ".value": 2, ".dc": 2, ".dc.w": 2,
    ".4byte": 4, ".long": 4, ".int": 4, ".dc.l": 4,
    ".8byte": 8, ".quad": 8, ".dc.a": 8, ".octa": 16,
    ".uleb128": 0, ".sleb128": 0,
}  # fmt: skip
FLOATS = {".float": 4, ".single": 4, ".dc.s": 4, ".double": 8, ".dc.d": 8}
# Whether a zero byte follows each string.
STRINGS = {".ascii": False, ".asciz": True, ".string": True}
# Bytes of one of the equal values that they put one after another: numbers, floating-point numbers, zeros.
REPEATED_INTEGERS = {".dcb.b": 1, ".dcb": 2, ".dcb.w": 2, ".dcb.l": 4}
REPEATED_FLOATS = {".dcb.s": 4, ".dcb.d": 8}
REPEATED_ZEROS = {".ds.b": 1, ".ds": 2, ".ds.w": 2, ".ds.l": 4, ".ds.s": 4, ".ds.d": 8, ".ds.p": 12, ".ds.x": 12}
SPACES = frozenset((".space", ".skip", ".zero"))
# Name room for zeroed data: in the object file of whoever links, or in `.bss`.
COMMONS = frozenset((".comm", ".common", ".lcomm"))
# Whether the argument is the exponent of two, and whether a fill pattern of how many bytes.
ALIGNMENTS = {
    ".p2align": (True, 1), ".p2alignw": (True, 2), ".p2alignl": (True, 4),
    ".align": (False, 1), ".balign": (False, 1), ".balignw": (False, 2), ".balignl": (False, 4), ".align32": (False, 4),
}  # fmt: skip
# Directives that name a section by themselves.
SECTIONS = {
    ".text": ".text", ".data": ".data", ".bss": ".bss", ".rodata": ".rodata", ".tdata": ".tdata", ".tbss": ".tbss",
    ".hsatext": ".hsatext",
}  # fmt: skip
# Say something about symbols, the object file or debugging; they put no bytes into a section that we model.
DECLARATIONS = frozenset(
    [
        ".globl",
        ".global",
        ".weak",
        ".weakref",
        ".hidden",
        ".protected",
        ".internal",
        ".local",
        ".type",
        ".size",
        ".ident",
        ".file",
        ".loc",
        ".symver",
        ".version",
        ".lto_discard",
        ".lto_set_conditional",
        ".addrsig",
        ".addrsig_sym",
        ".no_dead_strip",
        ".cg_profile",
        ".cfi_sections",
        ".cfi_startproc",
        ".cfi_endproc",
        ".cfi_def_cfa",
        ".cfi_def_cfa_offset",
        ".cfi_def_cfa_register",
        ".cfi_offset",
        ".cfi_rel_offset",
        ".cfi_adjust_cfa_offset",
        ".cfi_undefined",
        ".cfi_same_value",
        ".cfi_register",
        ".cfi_restore",
        ".cfi_escape",
        ".cfi_remember_state",
        ".cfi_restore_state",
        ".cfi_personality",
        ".cfi_lsda",
        ".cfi_return_column",
        ".cfi_signal_frame",
        ".cfi_llvm_def_aspace_cfa",
        ".cfi_llvm_register_pair",
        ".cfi_llvm_vector_registers",
        ".cfi_llvm_vector_offset",
        ".cfi_llvm_vector_register_mask",
        ".cfi_window_save",
        ".amdgcn_target",
        ".amdhsa_code_object_version",
        ".amdgpu_hsa_kernel",
        ".hsa_code_object_version",
        ".hsa_code_object_isa",
        ".amd_amdgpu_isa",
        ".amd_amdgpu_pal_metadata",
        ".pseudoprobe",
        ".extern",
        ".weak_reference",
        ".memtag",
        ".macros_on",
        ".macros_off",
        ".loc_label",
        ".cfi_label",
        ".cfi_val_offset",
        ".cv_file",
        ".cv_func_id",
        ".cv_inline_site_id",
        ".cv_loc",
        ".cv_linetable",
        ".cv_inline_linetable",
        ".cv_def_range",
        ".cv_string",
        ".cv_stringtable",
        ".cv_filechecksums",
        ".cv_filechecksumoffset",
        ".cv_fpo_data",
        ".line",
        ".reloc",
        ".incbin",
    ]
)
# Those that say where a name may be defined or used besides this file.
LINKAGE = frozenset((".globl", ".global", ".weak", ".hidden", ".protected", ".internal", ".extern"))
OTHERS = frozenset(
    [
        ".section",
        ".pushsection",
        ".popsection",
        ".previous",
        ".subsection",
        ".fill",
        ".org",
        ".amdhsa_kernel",
        ".end_amdhsa_kernel",
        ".amd_kernel_code_t",
        ".end_amd_kernel_code_t",
        ".amdgpu_lds",
        ".base64",
    ]
)
_NAME = r'(?:[A-Za-z_.$?@][\w.$?@]*|"[^"]*")'
_NAMES = (re.compile(rf"({_NAME}(\s*,\s*{_NAME})*)?"), "names with commas between them")
_NAME_AND_VALUE = (re.compile(rf"{_NAME}\s*,\s*\S.*", re.DOTALL), "a name, a comma and a value")
_FORMS = {
    **dict.fromkeys((*sorted(LINKAGE - {".extern"}), ".local"), _NAMES),
    **dict.fromkeys((".comm", ".common", ".lcomm", ".size"), _NAME_AND_VALUE),
    ".type": (re.compile(rf"{_NAME}\s*,?\s*([@#%]\s*\w+|STT_\w+|\"\w+\")"), "a name and a type such as `@function`"),
}


def is_without_bytes(section: str) -> bool:
    """Whether a section is zeros at run time and takes no room in the file."""
    section = section_of(section)
    return section.startswith((".bss", ".tbss")) and section.partition("bss")[2][:1] in ("", ".")


def part_of(section: str, number: int) -> str:
    """Part `number` of a section; parts are in the order of their names."""
    return f"{section_of(section)}{PART}{number:010}" if number else section_of(section)


def malformed(word: str, arguments: bytes) -> str:
    """What is wrong with the arguments of a declaration; empty when nothing that is checked here is."""
    form = _FORMS.get(word)
    if form is None or form[0].fullmatch(arguments.decode("utf-8", "replace").strip()):
        return ""
    return f"`{word}` takes {form[1]}"


# Directives that LLVM 22 does not know, though older kernels, or those for other systems, have them.
FORMER = frozenset(
    [
        ".hsa_code_object_version", ".hsa_code_object_isa", ".hsatext", ".amd_amdgpu_hsa_metadata",
        ".end_amd_amdgpu_hsa_metadata",
    ]
)  # fmt: skip
OTHER_SYSTEMS = frozenset(
    [
        ".amd_amdgpu_isa", ".amd_amdgpu_pal_metadata", ".amd_kernel_code_t", ".end_amd_kernel_code_t",
        ".amdgpu_hsa_kernel",
    ]
)  # fmt: skip
ROCM = frozenset(
    [
        ".cfi_llvm_register_pair", ".cfi_llvm_vector_registers", ".cfi_llvm_vector_offset",
        ".cfi_llvm_vector_register_mask",
    ]
)  # fmt: skip

KERNEL_CODE_T_SIZE = 256
KERNEL_DESCRIPTOR_SIZE = 64


def names() -> tuple[str, ...]:
    """Every directive there is, sorted; the fields of kernel descriptors are in `gcn_lsp.isa`."""
    return tuple(
        sorted(
            {
                *PREPROCESSOR_DIRECTIVES, *INTEGERS, *FLOATS, *STRINGS, *SPACES, *COMMONS, *ALIGNMENTS, *SECTIONS,
                *REPEATED_INTEGERS, *REPEATED_FLOATS, *REPEATED_ZEROS,
                *DECLARATIONS, *OTHERS,
            }
        )
    )  # fmt: skip
