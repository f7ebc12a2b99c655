"""The directives: a row for each, with its family and the blocks it opens, closes or divides.

LLVM decides which words exist and what each does: `tests/syntax/test_directives.py` asks it.
"""

from collections.abc import Mapping
from enum import Enum

from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.statement import Statement, StatementKind


class Family(Enum):
    """What a directive does."""

    OPENS = "opens"  # a block of lines
    CLOSES = "closes"  # a block
    BRANCHES = "branches"  # a conditional
    SETS = "sets"  # a symbol
    STEERS = "steers"  # interpretation: which lines are read, and how
    REPORTS = "reports"  # something to the person who assembles
    INTEGERS = "integers"
    FLOATS = "floats"
    STRINGS = "strings"
    REPEATED_INTEGERS = "repeated integers"  # `.dcb`: one value, several times
    REPEATED_FLOATS = "repeated floats"
    REPEATED_ZEROS = "repeated zeros"  # `.ds`
    SPACE = "space"
    ALIGNMENT = "alignment"
    COMMON = "common"  # reserves zeroed data under a name: by the linker, or in `.bss`
    SECTION = "section"  # is itself the name of a section
    SECTIONS = "sections"  # chooses among sections
    OTHER_DATA = "other data"
    LINKAGE = "linkage"  # says where else a name may be defined or used
    DECLARES = "declares"  # describes symbols, the object file or debugging; emits no bytes


class BlockKind(Enum):
    """The kinds of blocks: a closing word ends the innermost block of that kind."""

    MACRO = "macro"
    REPETITION = "repetition"
    CONDITION = "condition"
    KERNEL = "kernel"  # the lines of a kernel descriptor or header
    RAW = "raw"  # lines that are not assembly, such as metadata


class Directive(NamedTuple):
    """A directive word.

    block: the kind of block that it opens, closes or divides. other: the word that closes the block it opens, or opens
    the block it closes. size: bytes of one value, or of the fill pattern of an alignment; 0 where it varies.
    """

    word: str
    family: Family
    block: BlockKind | None = None
    other: str = ""
    size: int = 0


class Former(NamedTuple):
    """A directive that LLVM no longer knows.

    until: the first LLVM version without it; 0 for one that is long gone. instead: the directive that took its place;
    empty if it may simply be left out.
    """

    until: int
    instead: str = ""


def _rows() -> "list[Directive]":
    found: list[Directive] = []

    def block(kind: BlockKind, opening: str, closing: str) -> None:
        """Add words that open blocks, and words that close them; the first of each is the others' partner."""
        openers, closers = opening.split(), closing.split()
        found.extend(Directive(word, Family.OPENS, kind, closers[0]) for word in openers)
        found.extend(Directive(word, Family.CLOSES, kind, openers[0]) for word in closers)

    def values(family: Family, words: str, size: int) -> None:
        found.extend(Directive(word, family, size=size) for word in words.split())

    def plain(family: Family, words: str) -> None:
        found.extend(Directive(word, family) for word in words.split())

    block(BlockKind.MACRO, ".macro", ".endm .endmacro")
    block(BlockKind.REPETITION, ".rept .rep .irp .irpc", ".endr")
    block(
        BlockKind.CONDITION,
        ".if .ifne .ifeq .ifge .ifgt .ifle .iflt .ifdef .ifndef .ifnotdef .ifc .ifnc .ifeqs .ifnes .ifb .ifnb",
        ".endif",
    )
    found.extend(Directive(word, Family.BRANCHES, BlockKind.CONDITION, ".if") for word in (".else", ".elseif"))
    block(BlockKind.KERNEL, ".amdhsa_kernel", ".end_amdhsa_kernel")
    block(BlockKind.KERNEL, ".amd_kernel_code_t", ".end_amd_kernel_code_t")
    block(BlockKind.RAW, ".amdgpu_metadata", ".end_amdgpu_metadata")
    block(BlockKind.RAW, ".amd_amdgpu_hsa_metadata", ".end_amd_amdgpu_hsa_metadata")
    block(BlockKind.RAW, ".amdgpu_code_object_metadata", ".end_amdgpu_code_object_metadata")
    block(BlockKind.RAW, ".amdgpu_runtime_metadata", ".end_amdgpu_runtime_metadata")
    block(BlockKind.RAW, ".amdgpu_pal_metadata", ".end_amdgpu_pal_metadata")
    block(BlockKind.RAW, ".amdgpu_info", ".end_amdgpu_info")

    plain(Family.SETS, ".set .equ .equiv")
    plain(Family.STEERS, ".include .exitm .purgem .altmacro .noaltmacro .end .abort")
    plain(Family.REPORTS, ".error .err .warning .print")

    values(Family.INTEGERS, ".uleb128 .sleb128", 0)
    values(Family.INTEGERS, ".byte .dc.b", 1)
    values(Family.INTEGERS, ".2byte .short .value .dc .dc.w", 2)
    values(Family.INTEGERS, ".4byte .long .int .dc.l", 4)
    values(Family.INTEGERS, ".8byte .quad .dc.a", 8)
    values(Family.INTEGERS, ".octa", 16)
    values(Family.FLOATS, ".float .single .dc.s", 4)
    values(Family.FLOATS, ".double .dc.d", 8)
    plain(Family.STRINGS, ".ascii .asciz .string")
    values(Family.REPEATED_INTEGERS, ".dcb.b", 1)
    values(Family.REPEATED_INTEGERS, ".dcb .dcb.w", 2)
    values(Family.REPEATED_INTEGERS, ".dcb.l", 4)
    values(Family.REPEATED_FLOATS, ".dcb.s", 4)
    values(Family.REPEATED_FLOATS, ".dcb.d", 8)
    values(Family.REPEATED_ZEROS, ".ds.b", 1)
    values(Family.REPEATED_ZEROS, ".ds .ds.w", 2)
    values(Family.REPEATED_ZEROS, ".ds.l .ds.s", 4)
    values(Family.REPEATED_ZEROS, ".ds.d", 8)
    values(Family.REPEATED_ZEROS, ".ds.p .ds.x", 12)
    plain(Family.SPACE, ".space .skip .zero")
    values(Family.ALIGNMENT, ".p2align .align .balign", 1)
    values(Family.ALIGNMENT, ".p2alignw .balignw", 2)
    values(Family.ALIGNMENT, ".p2alignl .balignl .align32", 4)
    plain(Family.COMMON, ".comm .common .lcomm")
    plain(Family.SECTION, ".text .data .bss .rodata .tdata .tbss .hsatext")
    plain(Family.SECTIONS, ".section .pushsection .popsection .previous .subsection")
    plain(Family.OTHER_DATA, ".fill .org .amdgpu_lds .base64")

    plain(Family.LINKAGE, ".globl .global .weak .hidden .protected .internal .extern")
    plain(
        Family.DECLARES,
        """
        .weakref .local .type .size .ident .file .loc .symver .version .lto_discard .lto_set_conditional
        .addrsig .addrsig_sym .no_dead_strip .cg_profile .cfi_sections .cfi_startproc .cfi_endproc .cfi_def_cfa
        .cfi_def_cfa_offset .cfi_def_cfa_register .cfi_offset .cfi_rel_offset .cfi_adjust_cfa_offset
        .cfi_undefined .cfi_same_value .cfi_register .cfi_restore .cfi_escape .cfi_remember_state
        .cfi_restore_state .cfi_personality .cfi_lsda .cfi_return_column .cfi_signal_frame
        .cfi_llvm_def_aspace_cfa .cfi_llvm_register_pair .cfi_llvm_vector_registers .cfi_llvm_vector_offset
        .cfi_llvm_vector_register_mask .cfi_window_save .amdgcn_target .amdhsa_code_object_version
        .amdgpu_hsa_kernel .hsa_code_object_version .hsa_code_object_isa .amd_amdgpu_isa
        .amd_amdgpu_pal_metadata .pseudoprobe .weak_reference .memtag .macros_on .macros_off .loc_label
        .cfi_label .cfi_val_offset .cv_file .cv_func_id .cv_inline_site_id .cv_loc .cv_linetable
        .cv_inline_linetable .cv_def_range .cv_string .cv_stringtable .cv_filechecksums .cv_filechecksumoffset
        .cv_fpo_data .line .reloc .incbin
        """,
    )
    return found


DIRECTIVES: dict[str, Directive] = {row.word: row for row in _rows()}


def words(family: Family, block: "BlockKind | None" = None) -> frozenset[str]:
    """The directives of a family; with `block`, only those of that kind of block."""
    return frozenset(row.word for row in DIRECTIVES.values() if row.family is family and block in (None, row.block))


CONDITIONS = words(Family.OPENS, BlockKind.CONDITION)  # `.if`, `.ifdef` and the like
SETTERS = words(Family.SETS)
LINKAGE = words(Family.LINKAGE)
DECLARATIONS = words(Family.DECLARES) | LINKAGE
# Whether a zero byte follows each string; whether the argument is the exponent of two.
WITH_ZERO = frozenset((".asciz", ".string"))
EXPONENTS = frozenset((".p2align", ".p2alignw", ".p2alignl"))

# LLVM knows these from version 23; ROCm's assembler knew those for DWARF before.
NEWER = frozenset(
    [
        ".amdgpu_info", ".end_amdgpu_info", ".cfi_llvm_register_pair", ".cfi_llvm_vector_registers",
        ".cfi_llvm_vector_offset", ".cfi_llvm_vector_register_mask",
    ]
)  # fmt: skip
# LLVM does not know these on any system; older kernels use them.
FORMER: "Mapping[str, Former]" = {
    ".hsa_code_object_version": Former(18),
    ".hsa_code_object_isa": Former(18, ".amdgcn_target"),
    ".amd_amdgpu_hsa_metadata": Former(18, ".amdgpu_metadata"),
    ".end_amd_amdgpu_hsa_metadata": Former(18, ".end_amdgpu_metadata"),
    ".hsatext": Former(0, ".text"),
    ".amdgpu_code_object_metadata": Former(0, ".amdgpu_metadata"),
    ".end_amdgpu_code_object_metadata": Former(0, ".end_amdgpu_metadata"),
    ".amdgpu_runtime_metadata": Former(0, ".amdgpu_metadata"),
    ".end_amdgpu_runtime_metadata": Former(0, ".end_amdgpu_metadata"),
}
# LLVM knows these, but not on `amdhsa`.
OTHER_SYSTEMS = frozenset(
    [
        ".amd_amdgpu_isa", ".amd_amdgpu_pal_metadata", ".amd_kernel_code_t", ".end_amd_kernel_code_t",
        ".amdgpu_hsa_kernel",
    ]
)  # fmt: skip


def names() -> tuple[str, ...]:
    """Every directive, sorted; the fields of kernel descriptors are in `gcn_lsp.isa`."""
    return tuple(sorted(DIRECTIVES))


def assigned_name(statement: Statement) -> str:
    """The symbol that an assignment, in any of its forms, sets."""
    if statement.kind is StatementKind.ASSIGNMENT:
        return statement.name
    return statement.rest.split(b",", 1)[0].strip().strip(b'"').decode("utf-8", "surrogateescape")
