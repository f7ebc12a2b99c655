"""What each assembler directive does, in a sentence or two: a table for hover and completion.

`SYNONYMS` maps the spellings that mean the same to the name that has the row. The fields of
`.amdhsa_kernel` blocks have rows of their own with their default and the targets that take them.
"""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa import allocation, descriptor, kernel_code
from gcn_lsp.program import directives as assembler


class Directive(msgspec.Struct, frozen=True):
    """`name` as it is written, how its arguments look, and what it does."""

    name: str
    syntax: str
    text: str


class DescriptorField(msgspec.Struct, frozen=True):
    """A line of an `.amdhsa_kernel` block: what it sets, its value when absent, the targets that take it."""

    name: str
    default: str
    targets: str
    text: str


def lookup(name: str) -> Directive | None:
    """The row of a directive, its synonyms followed; descriptor fields are turned into such a row."""
    key = name.lower()
    row = DIRECTIVES.get(SYNONYMS.get(key, key))
    if row is not None:
        return row
    field = FIELDS.get(key)
    if field is None:
        return None
    default = "It has no default and must be given." if field.default == "required" else f"Default: {field.default}."
    text = f"Kernel descriptor field. {field.text} {default} Targets: {field.targets}."
    return Directive(field.name, f"{field.name} value", text)


def values(name: str, target: "isa.Target | None") -> str:
    """Which values a directive takes and what counts without one, as sentences; for a descriptor field on `target`."""
    key = name.lower()
    field = _field_on(key, target)
    if field is not None and target is not None:
        default = field.default_on(target.features)
        if key in FIELDS and FIELDS[key].default.startswith("the sum"):
            default = None
        if field.name == "reserve_xnack_mask":  # the assembler takes no other value
            default = int(allocation.reserves_xnack(target))
        takes = _TAKES.get(field.name, f"0 to {field.maximum}")
        text = f"On {target.name}: {takes}" + (f", {default} when it is not given." if default is not None else ".")
        return text + _shared_out(field.name, target)
    return _VALUES.get(SYNONYMS.get(key, key), "")


def header_field(name: str, target: "isa.Target | None") -> str | None:
    """What a field of an `.amd_kernel_code_t` block takes, as sentences; None when there is none of that name."""
    field = kernel_code.FIELDS.get(name)
    if field is None:
        return None
    bits = field.bits or 8 * field.size
    where = f"bit {field.shift}" if bits == 1 else f"bits {field.shift + bits - 1}:{field.shift}"
    place = f"bytes {field.offset} to {field.offset + field.size - 1}" + (f", {where}" if field.bits else "")
    default = kernel_code.defaults(target).get(name, 0)
    most = (1 << bits) - 1
    return f"Field of the kernel header: {place}. It takes 0 to {most}; {default} when it is not given."


def _shared_out(name: str, target: "isa.Target") -> str:
    """What a target makes of a descriptor field: blocks in which it hands out what is asked for; empty for most."""
    features = target.features
    if name == "reserve_xnack_mask":
        return " It has to agree with the target's xnack setting."
    if name == "group_segment_fixed_size":
        most, unit = allocation.lds_limit(features), allocation.lds_unit(features)
        return f" A work-group has {most} bytes at most, in blocks of {unit}."
    limits = {lanes: allocation.units(features, wave32=lanes == _SMALL_WAVE) for lanes in _wave_sizes(target)}
    if name == "next_free_vgpr":
        blocks = (f"{each.vgpr} in waves of {lanes} lanes" for lanes, each in limits.items())
        return f" VGPRs come in blocks of {' and '.join(blocks)}."
    if name == "next_free_sgpr":
        one = next(iter(limits.values()))
        return f" SGPRs come in blocks of {one.sgpr}." if one.sgpr else " Every wave has all SGPRs, whatever this says."
    return ""


_SMALL_WAVE, _LARGE_WAVE = 32, 64


def _wave_sizes(target: "isa.Target") -> tuple[int, ...]:
    """The numbers of lanes that waves of a target may have."""
    if "FeatureGFX10Insts" not in target.features:
        return (_LARGE_WAVE,)
    return (_SMALL_WAVE,) if "FeatureGFX1250Insts" in target.features else (_SMALL_WAVE, _LARGE_WAVE)


def _field_on(name: str, target: "isa.Target | None") -> "descriptor.Directive | None":
    if target is None or name not in FIELDS:
        return None
    return descriptor.directives(target.features).get(name.removeprefix(descriptor.PREFIX))


_TAKES = {
    "accum_offset": "a multiple of 4 from 4 to 256",
    "next_free_vgpr": "0 to the VGPRs of a wave",
    "next_free_sgpr": "0 to the SGPRs of a wave",
}


def _known_by(name: str) -> str:
    """Which assemblers know a directive, where it is not those of today for `amdhsa`."""
    return next((said for names, said in _KNOWN_BY if name in names), "")


_KNOWN_BY = (
    (assembler.FORMER, "LLVM 22 no longer knows it."),
    (assembler.OTHER_SYSTEMS, "LLVM 22 knows it for other operating systems than `amdhsa` only."),
    (assembler.ROCM, "The assembler of ROCm knows it, LLVM 22 does not."),
)

_ROWS: tuple[tuple[str, str, str], ...] = (
    # Target and kernel
    (".amdgcn_target", '"triple-target-id"', "States the target that the file is written for, such as "
     '`"amdgcn-amd-amdhsa--gfx90a:xnack-"`; the assembler refuses a command line that says another one.'),
    (".amdhsa_code_object_version", "version", "The version of the code object's format to write (4, 5 or 6)."),
    (".amdhsa_kernel", "name", "Opens the kernel descriptor of `name`: the 64 bytes, symbol `name.kd`, from which the "
     "hardware's registers are set up at launch. Fields follow one a line up to `.end_amdhsa_kernel`; it normally "
     "stands in `.rodata`, aligned to 64 bytes."),
    (".end_amdhsa_kernel", "", "Closes an `.amdhsa_kernel` block and emits the descriptor into the current section."),
    (".amdgpu_metadata", "", "Opens the code object's metadata as YAML: kernels, their arguments and resource use. "
     "The runtime reads it to lay out arguments. It ends at `.end_amdgpu_metadata`."),
    (".end_amdgpu_metadata", "", "Ends the YAML text that `.amdgpu_metadata` opened."),
    (".amd_amdgpu_hsa_metadata", "", "Opens YAML metadata of code object version 2; the form of today is "
     "`.amdgpu_metadata`. It ends at `.end_amd_amdgpu_hsa_metadata`."),
    (".end_amd_amdgpu_hsa_metadata", "", "Ends the version 2 metadata."),
    (".amd_amdgpu_isa", '"isa-name"', "States the target that the file is written for, in files for other operating "
     "systems than `amdhsa`; there `.amdgcn_target` does it."),
    (".hsa_code_object_version", "major, minor", "Version of the code object's format, for version 2 files."),
    (".hsa_code_object_isa", 'major, minor, stepping, "vendor", "arch"', "States the target of a code object version 2 "
     "file, `9, 0, 6` for gfx906."),
    (".amdgpu_hsa_kernel", "name", "Marks `name` as a kernel (symbol type `AMDGPU_HSA_KERNEL`) in code object "
     "version 2 files."),
    (".amd_kernel_code_t", "", "Opens the 256-byte kernel header of code object version 2, `key = value` a line, "
     "which stands in front of the kernel's first instruction. `.amdhsa_kernel` replaced it."),
    (".end_amd_kernel_code_t", "", "Closes an `.amd_kernel_code_t` block."),
    (".amdgpu_pal_metadata", "", "Opens metadata for the PAL driver as YAML; it ends at `.end_amdgpu_pal_metadata`."),
    (".end_amdgpu_pal_metadata", "", "Ends the YAML text that `.amdgpu_pal_metadata` opened."),
    (".amd_amdgpu_pal_metadata", "key, value, ...", "Metadata for the PAL driver as pairs of numbers, the older form."),
    (".amdgpu_lds", "name, size [, align]", "Declares the LDS variable `name` of `size` bytes; the linker places it."),
    (".set", "symbol, expression", "Gives `symbol` the value of the expression from here on. It may be set again; "
     "each use sees the last value before it. `symbol = expression` does the same."),
    (".equiv", "symbol, expression", "Like `.set`, but a mistake when `symbol` already has a value."),
    (".globl", "symbol", "Makes `symbol` visible to other object files and to the loader. A kernel needs it."),
    (".local", "symbol", "Keeps `symbol` inside this object file."),
    (".weak", "symbol", "Makes `symbol` global but lets another definition win at link time."),
    (".hidden", "symbol", "Visible to the link of this shared object only, not exported from it."),
    (".protected", "symbol", "Exported, but uses inside this shared object always reach this definition. The usual "
     "visibility of kernels."),
    (".internal", "symbol", "The strictest visibility: never reached from outside this component."),
    (".type", "symbol, @function | @object", "The symbol's type in the object file. Kernels and functions are "
     "`@function`, descriptors and data `@object`."),
    (".size", "symbol, expression", "The symbol's size in bytes; `.Lend-name` for a function whose end has the label "
     "`.Lend`."),
    (".comm", "symbol, size [, power]", "A common symbol: zeroed space that the linker allocates once; in `.bss` of "
     "this file if `.local` named the symbol before."),
    (".lcomm", "symbol, size", "Zeroed space of `size` bytes in `.bss` under a local symbol."),
    (".symver", "name, name@version", "Binds a versioned name to a symbol."),
    (".weakref", "alias, symbol", "An alias whose target stays undefined without error."),
    (".lto_discard", "symbols", "Symbols that link-time optimisation may drop."),
    (".addrsig", "", "Emits an address-significance table."),
    (".addrsig_sym", "symbol", "Enters `symbol` in the address-significance table."),
    # Sections
    (".text", "", "What follows goes to `.text`, the section of instructions."),
    (".data", "", "What follows goes to `.data`, initialised writable data."),
    (".bss", "", "What follows goes to `.bss`, zeroed data that takes no room in the file."),
    (".rodata", "", "What follows goes to `.rodata`, read-only data, where kernel descriptors stand."),
    (".section", 'name [, "flags" [, @type]]', "What follows goes to the named section. Flags: `a` allocated, `w` "
     "writable, `x` executable, `M` mergeable, `S` strings; `#alloc` is the older spelling of `a`."),
    (".pushsection", 'name [, "flags"]', "Remembers the current section and changes to `name`; `.popsection` returns."),
    (".popsection", "", "Returns to the section that `.pushsection` left."),
    (".previous", "", "Swaps the current section and the one before it."),
    (".tdata", "", "What follows goes to `.tdata`, initialised data of each thread."),
    (".tbss", "", "What follows goes to `.tbss`, zeroed data of each thread."),
    (".hsatext", "", "What follows goes to `.hsatext`, where code object version 1 had its instructions."),
    (".subsection", "number", "Changes to a numbered part of the current section."),
    (".ident", '"text"', "Adds a string to `.comment`, usually the producer's name and version."),
    (".version", '"text"', "Adds a version note."),
    # Alignment and space
    (".p2align", "power [, fill [, max]]", "Pads to a multiple of 2^`power` bytes: `.p2align 8` is 256, which kernel "
     "entry points need. In code the padding is `s_nop 0` instructions, or `fill` bytes; nothing is done when more "
     "than `max` bytes would be needed."),
    (".balign", "bytes [, fill [, max]]", "Pads to a multiple of `bytes`."),
    (".p2alignw", "power [, fill [, max]]", "Pads to a multiple of 2^`power` bytes with a 2-byte pattern."),
    (".p2alignl", "power [, fill [, max]]", "Pads to a multiple of 2^`power` bytes with a 4-byte pattern."),
    (".balignw", "bytes [, fill [, max]]", "Pads to a multiple of `bytes` with a 2-byte pattern."),
    (".balignl", "bytes [, fill [, max]]", "Pads to a multiple of `bytes` with a 4-byte pattern."),
    (".org", "expression [, fill]", "Moves the current location forward to an offset in the section."),
    (".skip", "bytes [, fill]", "Emits `bytes` bytes of `fill` (zero when not given)."),
    (".fill", "count [, size [, value]]", "Emits `count` values of `size` bytes each (1 when not given)."),
    (".zero", "bytes [, fill]", "Emits zero bytes, or bytes of `fill`."),
    (".dcb.b", "count, value", "Emits `count` bytes of the same value."),
    (".dcb.w", "count, value", "Emits the same 2-byte value `count` times."),
    (".dcb.l", "count, value", "Emits the same 4-byte value `count` times."),
    (".dcb.s", "count, number", "Emits the same single-precision number `count` times."),
    (".dcb.d", "count, number", "Emits the same double-precision number `count` times."),
    (".ds.b", "count", "Emits `count` zero bytes."),
    (".ds.w", "count", "Emits `count` zeros of 2 bytes."),
    (".ds.l", "count", "Emits `count` zeros of 4 bytes."),
    (".ds.d", "count", "Emits `count` zeros of 8 bytes."),
    (".ds.p", "count", "Emits `count` zeros of 12 bytes."),
    (".byte", "expressions", "Emits 1-byte values."),
    (".short", "expressions", "Emits 2-byte values, low byte first."),
    (".long", "expressions", "Emits 4-byte values, low byte first. In `.text` it serves to write an instruction that "
     "the assembler does not know."),
    (".quad", "expressions", "Emits 8-byte values, low byte first."),
    (".octa", "expressions", "Emits 16-byte values."),
    (".float", "numbers", "Emits IEEE single-precision values."),
    (".double", "numbers", "Emits IEEE double-precision values."),
    (".ascii", '"text"', "Emits the bytes of strings without an ending zero."),
    (".asciz", '"text"', "Emits the bytes of strings, each with a zero byte behind it."),
    (".sleb128", "expressions", "Emits signed numbers in LEB128."),
    (".uleb128", "expressions", "Emits unsigned numbers in LEB128."),
    (".base64", '"text"', "Emits the bytes that strings in Base64 stand for."),
    (".incbin", '"file" [, skip [, count]]', "Emits a file's bytes as they are."),
    (".reloc", "offset, name, expression", "Adds a relocation by hand."),
    # Macros and repetition
    (".macro", "name parameters", "Defines a macro up to `.endm`. A parameter may have `:req` (must be given), "
     "`:vararg` (takes the rest) or `=default`; in the body `\\name` is its text, `\\@` a number that differs in "
     "every expansion, `\\()` separates a parameter from text behind it."),
    (".endm", "", "Ends a `.macro`."),
    (".exitm", "", "Leaves the macro expansion here."),
    (".purgem", "name", "Forgets a macro."),
    (".altmacro", "", "Switches alternate macro syntax on: `%expression` arguments, `<text>` strings, parameters "
     "without a backslash."),
    (".noaltmacro", "", "Switches alternate macro syntax off."),
    (".rept", "count", "Assembles the lines up to `.endr` `count` times."),
    (".irp", "symbol, values", "Assembles the lines up to `.endr` once for each value, `\\symbol` replaced by it."),
    (".irpc", "symbol, characters", "Assembles the lines up to `.endr` once for each character."),
    (".endr", "", "Ends `.rept`, `.irp` or `.irpc`."),
    (".include", '"file"', "Assembles another file here; it is looked for beside this one and in the include paths."),
    # Conditions
    (".if", "expression", "Assembles the lines up to `.elseif`, `.else` or `.endif` when the expression is not zero. "
     "It is evaluated here and now, so everything in it must already have a value."),
    (".ifeq", "expression", "The lines that follow are assembled when the expression is zero."),
    (".ifne", "expression", "The lines that follow are assembled when the expression is not zero."),
    (".ifge", "expression", "The lines that follow are assembled when the expression is zero or more."),
    (".ifgt", "expression", "The lines that follow are assembled when the expression is more than zero."),
    (".ifle", "expression", "The lines that follow are assembled when the expression is zero or less."),
    (".iflt", "expression", "The lines that follow are assembled when the expression is less than zero."),
    (".ifdef", "symbol", "The lines that follow are assembled when `symbol` is defined at this point."),
    (".ifndef", "symbol", "The lines that follow are assembled when `symbol` is not defined at this point."),
    (".ifb", "text", "The lines that follow are assembled when there is no text: a macro argument left out."),
    (".ifnb", "text", "The lines that follow are assembled when there is text: a macro argument that was given."),
    (".ifc", "text, text", "The lines that follow are assembled when both texts are the same."),
    (".ifnc", "text, text", "The lines that follow are assembled when the texts differ."),
    (".ifeqs", '"text", "text"', "The lines that follow are assembled when both strings are the same."),
    (".ifnes", '"text", "text"', "The lines that follow are assembled when the strings differ."),
    (".elseif", "expression", "Takes its turn when no branch before it was taken and the expression is not zero."),
    (".else", "", "The branch for when no other was taken."),
    (".endif", "", "Ends the innermost condition."),
    # Messages and the rest
    (".error", '"message"', "Stops assembly with this message; macros use it to check their arguments."),
    (".err", "", "Stops assembly with an error."),
    (".warning", '"message"', "Prints a warning and goes on."),
    (".print", '"message"', "Prints the message while assembling."),
    (".end", "", "Ends the assembly: nothing below it in this file is read."),
    (".file", '[number] "name"', "Names the source file for debug information."),
    (".loc", "file line [column]", "The source line that the next instructions stem from, for debug information."),
    (".loc_label", "symbol", "A label where the line table of the debug information goes on."),
    (".line", "[number]", "A line number; it is read and nothing follows from it."),
    (".abort", "[text]", "Stops the assembly at once with an error."),
    (".macros_on", "", "Is read, and nothing follows from it."),
    (".macros_off", "", "Is read, and nothing follows from it."),
    (".extern", "symbol", "Says that another file defines `symbol`, as is taken of any name that nothing defines."),
    (".no_dead_strip", "symbol", "Asks the linker to keep `symbol`."),
    (".weak_reference", "symbol", "Makes an undefined `symbol` weak: it is 0 when no file defines it."),
    (".memtag", "symbol", "Marks data whose memory is to be tagged."),
    (".lto_set_conditional", "symbol, expression", "An assignment that counts only if link-time optimisation uses it."),
    (".cg_profile", "from, to, count", "How often one function calls another, for the linker's order of functions."),
    (".pseudoprobe", "guid index type attribute", "A place that a profiler counts."),
    # Call frames: how a debugger finds the caller's registers
    (".cfi_sections", "sections", "Which sections get the call frames: `.eh_frame`, `.debug_frame` or both."),
    (".cfi_startproc", "[simple]", "Begins the call frame of a function."),
    (".cfi_endproc", "", "Ends the call frame that `.cfi_startproc` began."),
    (".cfi_def_cfa", "register, offset", "The frame's address is that register plus the offset from here on."),
    (".cfi_def_cfa_register", "register", "The frame's address counts from another register from here on."),
    (".cfi_def_cfa_offset", "offset", "The frame's address is at another offset from its register from here on."),
    (".cfi_adjust_cfa_offset", "difference", "Changes the offset of the frame's address by that much."),
    (".cfi_llvm_def_aspace_cfa", "register, offset, space", "The frame's address, in an address space."),
    (".cfi_offset", "register, offset", "The register's earlier value is saved at this offset from the frame's "
     "address."),
    (".cfi_rel_offset", "register, offset", "The register's earlier value is saved at this offset from the frame's "
     "register."),
    (".cfi_val_offset", "register, offset", "The register's earlier value is the frame's address plus the offset."),
    (".cfi_register", "register, register", "The earlier value of the first register is in the second."),
    (".cfi_restore", "register", "The rule for the register is again the one at the function's beginning."),
    (".cfi_undefined", "register", "The register's earlier value is lost."),
    (".cfi_same_value", "register", "The register still has its earlier value."),
    (".cfi_remember_state", "", "Puts all rules on a stack."),
    (".cfi_restore_state", "", "Takes the rules back that `.cfi_remember_state` put on the stack."),
    (".cfi_escape", "bytes", "Bytes of call frame instructions as they are."),
    (".cfi_return_column", "register", "The register in which the return address is."),
    (".cfi_signal_frame", "", "The frame is one that a signal made."),
    (".cfi_window_save", "", "The register windows are saved."),
    (".cfi_personality", "encoding [, symbol]", "The routine that handles exceptions in this function."),
    (".cfi_lsda", "encoding [, symbol]", "The data that the routine for exceptions reads."),
    (".cfi_label", "symbol", "A label inside the call frame's instructions."),
    (".cfi_llvm_register_pair", "register, low, size, high, size", "A register's earlier value is in two others."),
    (".cfi_llvm_vector_registers", "register, vector, lane, size, ...", "A register's earlier value is in lanes of "
     "vector registers."),
    (".cfi_llvm_vector_offset", "vector, size, mask, mask size, offset", "The lanes of a vector register that a mask "
     "names are saved at an offset from the frame's address."),
    (".cfi_llvm_vector_register_mask", "vector, from, size, mask, size", "The lanes of a vector register that a mask "
     "names are in another one."),
    # Debug information of another format
    (".cv_file", 'number "name"', "A source file in CodeView debug information."),
    (".cv_func_id", "number", "A function in CodeView debug information."),
    (".cv_inline_site_id", "number ...", "An inlined call in CodeView debug information."),
    (".cv_loc", "function file line", "A source line in CodeView debug information."),
    (".cv_linetable", "function, start, end", "Puts a CodeView line table here."),
    (".cv_inline_linetable", "function file line start end", "Puts the CodeView line table of an inlined call here."),
    (".cv_def_range", "ranges, kind", "Where a variable lives, in CodeView debug information."),
    (".cv_string", '"text"', "The offset of a string in CodeView debug information."),
    (".cv_stringtable", "", "Puts the table of CodeView strings here."),
    (".cv_filechecksums", "", "Puts the checksums of the CodeView source files here."),
    (".cv_filechecksumoffset", "number", "The offset of a file's checksum in CodeView debug information."),
    (".cv_fpo_data", "symbol", "Puts the frame data of a function here, in CodeView debug information."),
)  # fmt: skip

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        ".equ": ".set",
        ".global": ".globl",
        ".align": ".balign",
        ".space": ".skip",
        ".2byte": ".short",
        ".value": ".short",
        ".4byte": ".long",
        ".int": ".long",
        ".8byte": ".quad",
        ".string": ".asciz",
        ".single": ".float",
        ".endmacro": ".endm",
        ".rep": ".rept",
        ".ifnotdef": ".ifndef",
        ".common": ".comm",
        ".dc": ".short",
        ".dc.b": ".byte",
        ".dc.w": ".short",
        ".dc.l": ".long",
        ".dc.a": ".quad",
        ".dc.s": ".float",
        ".dc.d": ".double",
        ".align32": ".balignl",
        ".ds": ".ds.w",
        ".ds.s": ".ds.l",
        ".ds.x": ".ds.p",
        ".dcb": ".dcb.w",
    }
)

# What the arguments may be, and what counts when one is left out.
_VALUES: Mapping[str, str] = MappingProxyType(
    {
        ".amdhsa_code_object_version": "4 to 6; without it 6.",
        ".amdgpu_lds": "`size` is 0 to the LDS of a work-group (65536 bytes on most targets), `align` a power of two "
        "below 2^31, 4 when it is not given.",
        ".amd_amdgpu_pal_metadata": "Each is 0 to 2^32-1.",
        ".hsa_code_object_version": "`2, 0` or `2, 1`.",
        ".set": "Any 64-bit number or address.",
        ".equiv": "Any 64-bit number or address.",
        ".size": "0 or more.",
        ".comm": "`size` is 0 or more; the alignment is 2^`power` bytes, 1 when it is not given.",
        ".lcomm": "`size` is 0 or more.",
        ".subsection": "0 to 2^31-1; without it 0.",
        ".p2align": "`power` is 0 to 28; `fill` is a byte, `max` is 1 or more and without it as many as it takes.",
        ".balign": "`bytes` is a power of two, up to 2^28; `fill` is a byte, `max` is 1 or more and without it as many "
        "as it takes.",
        ".p2alignw": "`power` is 0 to 28; `fill` has 2 bytes, `max` is 1 or more.",
        ".p2alignl": "`power` is 0 to 28; `fill` has 4 bytes, `max` is 1 or more.",
        ".balignw": "`bytes` is a power of two, up to 2^28; `fill` has 2 bytes, `max` is 1 or more.",
        ".balignl": "`bytes` is a power of two, up to 2^28; `fill` has 4 bytes, `max` is 1 or more.",
        ".org": "Not before the current location; `fill` is a byte, 0 when it is not given.",
        ".skip": "`bytes` is 0 or more; `fill` is a byte, 0 when it is not given.",
        ".fill": "`size` is 0 to 8, 1 when it is not given; of `value`, 0 when it is not given, the low 4 bytes count.",
        ".zero": "`bytes` is 0 or more; `fill` is a byte, 0 when it is not given.",
        ".dcb.b": "`count` is 0 or more, `value` -128 to 255.",
        ".dcb.w": "`count` is 0 or more, `value` -32768 to 65535.",
        ".dcb.l": "`count` is 0 or more, `value` -2^31 to 2^32-1.",
        ".dcb.s": "`count` is 0 or more.",
        ".dcb.d": "`count` is 0 or more.",
        ".ds.b": "`count` is 0 or more.",
        ".ds.w": "`count` is 0 or more.",
        ".ds.l": "`count` is 0 or more.",
        ".ds.d": "`count` is 0 or more.",
        ".ds.p": "`count` is 0 or more.",
        ".byte": "Each is -128 to 255, or an address.",
        ".short": "Each is -32768 to 65535, or an address.",
        ".long": "Each is -2^31 to 2^32-1, or an address.",
        ".quad": "Each is -2^63 to 2^64-1, or an address.",
        ".octa": "Each is 0 to 2^128-1, written as a plain number.",
        ".float": "Decimal or hexadecimal numbers, `inf` and `nan`; what is too large is infinite.",
        ".double": "Decimal or hexadecimal numbers, `inf` and `nan`; what is too large is infinite.",
        ".sleb128": "Each is -2^63 to 2^63-1.",
        ".uleb128": "Each is 0 to 2^64-1.",
        ".incbin": "`skip` is 0 or more and 0 when it is not given; without `count` all the rest is taken.",
        ".rept": "0 or more.",
        ".if": "True for any number but 0.",
        ".elseif": "True for any number but 0.",
        ".loc": "`file` is a number that `.file` gave, `line` and `column` are 0 or more.",
        ".file": "`number` is 0 or more.",
    }
)

_ALL = "all"
_FIELD_ROWS: tuple[tuple[str, str, str, str], ...] = (
    (".amdhsa_group_segment_fixed_size", "0", _ALL, "LDS bytes that a work-group takes, without dynamic LDS."),
    (".amdhsa_private_segment_fixed_size", "0", _ALL, "Scratch bytes that each work-item takes."),
    (".amdhsa_kernarg_size", "0", _ALL, "Bytes of the kernarg segment, where the arguments are."),
    (".amdhsa_user_sgpr_count", "the sum of the user SGPRs asked for", _ALL,
     "How many SGPRs are loaded before the wave starts, beginning with s0."),
    (".amdhsa_user_sgpr_private_segment_buffer", "0", "GFX6 to GFX10 without gfx940",
     "1: four user SGPRs get the buffer resource of scratch."),
    (".amdhsa_user_sgpr_dispatch_ptr", "0", _ALL, "1: two user SGPRs get the address of the dispatch packet."),
    (".amdhsa_user_sgpr_queue_ptr", "0", _ALL, "1: two user SGPRs get the address of the queue."),
    (".amdhsa_user_sgpr_kernarg_segment_ptr", "0", _ALL,
     "1: two user SGPRs get the address of the kernel's arguments."),
    (".amdhsa_user_sgpr_dispatch_id", "0", _ALL, "1: two user SGPRs get the number of the dispatch."),
    (".amdhsa_user_sgpr_flat_scratch_init", "0", "GFX6 to GFX10 without gfx940",
     "1: two user SGPRs get what FLAT_SCRATCH is set up from."),
    (".amdhsa_user_sgpr_private_segment_size", "0", _ALL, "1: a user SGPR gets the scratch bytes of a work-item."),
    (".amdhsa_user_sgpr_kernarg_preload_length", "0", "gfx90a, gfx940, gfx1250",
     "How many dwords of arguments are loaded into user SGPRs at launch."),
    (".amdhsa_user_sgpr_kernarg_preload_offset", "0", "gfx90a, gfx940, gfx1250",
     "From which dword of the kernarg segment on arguments are loaded into user SGPRs."),
    (".amdhsa_wavefront_size32", "by the target's wavefront size", "GFX10 and later", "1: waves of 32 lanes, 0: 64."),
    (".amdhsa_uses_dynamic_stack", "0", _ALL, "1: the stack's size is not known when assembling."),
    (".amdhsa_named_barrier_count", "0", "gfx1250", "How many groups of four named barriers a "
     "work-group takes, up to 4: a value of 2 allocates eight."),
    (".amdhsa_system_sgpr_private_segment_wavefront_offset", "0", "GFX6 to GFX10 without gfx940",
     "1: the SGPR behind the work-group's gets the wave's offset in scratch; scratch is on."),
    (".amdhsa_enable_private_segment", "0", "gfx940, GFX11, GFX12", "1: scratch is set up."),
    (".amdhsa_system_sgpr_workgroup_id_x", "1", _ALL, "1: an SGPR behind the user SGPRs gets the "
     "work-group's x. GFX12 has it in ttmp9 instead."),
    (".amdhsa_system_sgpr_workgroup_id_y", "0", _ALL, "1: an SGPR behind the user SGPRs gets the "
     "work-group's y. GFX12 has it in ttmp7[15:0] instead."),
    (".amdhsa_system_sgpr_workgroup_id_z", "0", _ALL, "1: an SGPR behind the user SGPRs gets the "
     "work-group's z. GFX12 has it in ttmp7[31:16] instead."),
    (".amdhsa_system_sgpr_workgroup_info", "0", _ALL,
     "1: an SGPR gets information about the work-group (first wave, size in waves, ordered count)."),
    (".amdhsa_system_vgpr_workitem_id", "0", _ALL,
     "Which work-item coordinates arrive in VGPRs: 0 is x, 1 is x and y, 2 is x, y and z. On gfx90a and later, and "
     "from GFX11 on, they are packed into v0, ten bits each."),
    (".amdhsa_next_free_vgpr", "required", _ALL,
     "The highest VGPR number in use plus one; the allocation follows from it. On gfx90a and gfx940 it counts the "
     "unified file: AccVGPRs begin at `.amdhsa_accum_offset`."),
    (".amdhsa_next_free_sgpr", "required", _ALL,
     "The highest SGPR number in use plus one, without VCC, FLAT_SCRATCH and XNACK_MASK."),
    (".amdhsa_accum_offset", "required", "gfx90a, gfx940",
     "Where AccVGPRs begin in the unified register file: a multiple of 4 from 4 to 256. a0 is this VGPR."),
    (".amdhsa_reserve_vcc", "1", _ALL, "1: room for VCC is added to the SGPRs."),
    (".amdhsa_reserve_flat_scratch", "1", "GFX7 to GFX10 without gfx940",
     "1: room for FLAT_SCRATCH is added to the SGPRs."),
    (".amdhsa_reserve_xnack_mask", "by the target's xnack setting", "GFX8 to GFX10",
     "1: room for XNACK_MASK is added to the SGPRs."),
    (".amdhsa_float_round_mode_32", "0", _ALL,
     "Rounding of 32-bit floats: 0 nearest even, 1 up, 2 down, 3 towards zero."),
    (".amdhsa_float_round_mode_16_64", "0", _ALL,
     "Rounding of 16 and 64-bit floats: 0 nearest even, 1 up, 2 down, 3 towards zero."),
    (".amdhsa_float_denorm_mode_32", "0", _ALL,
     "Denormal 32-bit floats: 0 flushes sources and results, 1 results, 2 sources, 3 none."),
    (".amdhsa_float_denorm_mode_16_64", "3", _ALL,
     "Denormal 16 and 64-bit floats: 0 flushes sources and results, 1 results, 2 sources, 3 none."),
    (".amdhsa_dx10_clamp", "1", "GFX6 to GFX11", "1: the `clamp` modifier turns NaN into 0."),
    (".amdhsa_ieee_mode", "1", "GFX6 to GFX11", "1: signalling NaNs are quieted as IEEE 754 wants."),
    (".amdhsa_round_robin_scheduling", "0", "GFX12", "1: waves of a work-group take turns."),
    (".amdhsa_fp16_overflow", "0", "GFX9 and later", "1: a 16-bit result that overflows is clamped, not infinite."),
    (".amdhsa_tg_split", "by the target's tgsplit setting", "gfx90a, gfx940",
     "1: the waves of a work-group may run on different compute units; it then has neither LDS nor `s_barrier`."),
    (".amdhsa_workgroup_processor_mode", "by the target's cumode setting", "GFX10 to GFX12 without gfx1250",
     "1: a work-group may use both compute units of a work-group processor, 0: it stays on one."),
    (".amdhsa_memory_ordered", "1", "GFX10 and later", "1: vmcnt counts loads, atomics with a result and "
     "image samples in order of issue, 0: samples and the rest out of order with each other."),
    (".amdhsa_forward_progress", "1", "GFX10 and later", "1: waves are scheduled so that each makes "
     "progress, 0: the oldest come first."),
    (".amdhsa_shared_vgpr_count", "0", "GFX10, GFX11 with wave64", "VGPRs that both "
     "halves of a wave share, in groups of 8."),
    (".amdhsa_inst_pref_size", "0", "GFX11, GFX12", "How much of the kernel's beginning is fetched "
     "before a wave starts, in units of 128 bytes."),
    (".amdhsa_exception_fp_ieee_invalid_op", "0", _ALL, "1: an invalid operation traps."),
    (".amdhsa_exception_fp_denorm_src", "0", _ALL, "1: a denormal source traps."),
    (".amdhsa_exception_fp_ieee_div_zero", "0", _ALL, "1: a float division by zero traps."),
    (".amdhsa_exception_fp_ieee_overflow", "0", _ALL, "1: a float overflow traps."),
    (".amdhsa_exception_fp_ieee_underflow", "0", _ALL, "1: a float underflow traps."),
    (".amdhsa_exception_fp_ieee_inexact", "0", _ALL, "1: an inexact float result traps."),
    (".amdhsa_exception_int_div_zero", "0", _ALL, "1: an integer division by zero traps."),
)  # fmt: skip

DIRECTIVES: Mapping[str, Directive] = MappingProxyType(
    {
        name: Directive(name, f"{name} {syntax}".rstrip(), " ".join(filter(None, (text, _known_by(name)))))
        for name, syntax, text in _ROWS
    }
)
FIELDS: Mapping[str, DescriptorField] = MappingProxyType({row[0]: DescriptorField(*row) for row in _FIELD_ROWS})

# Symbols that the assembler itself defines and keeps up to date.
PREDEFINED: Mapping[str, str] = MappingProxyType(
    {
        ".amdgcn.gfx_generation_number": "The target's generation: 9 for gfx90a.",
        ".amdgcn.gfx_generation_minor": "The target's minor number: 0 for gfx90a.",
        ".amdgcn.gfx_generation_stepping": "The target's stepping: 10 for gfx90a.",
        ".amdgcn.next_free_vgpr": "The highest VGPR number that an instruction has named so far, plus one. "
        "Set it to 0 where a kernel begins and it counts that kernel.",
        ".amdgcn.next_free_sgpr": "The highest SGPR number that an instruction has named so far, plus one. "
        "Set it to 0 where a kernel begins and it counts that kernel.",
        ".option.machine_version_major": "The target's generation, in code object version 2 files.",
        ".option.machine_version_minor": "The target's minor number, in code object version 2 files.",
        ".option.machine_version_stepping": "The target's stepping, in code object version 2 files.",
        ".kernel.vgpr_count": "The highest VGPR number named so far plus one, in code object version 2 files.",
        ".kernel.sgpr_count": "The highest SGPR number named so far plus one, in code object version 2 files.",
        **{
            f"uc_version_gfx{generation}": f"The number of gfx{generation} in the operand of `s_version`."
            for generation in (7, 10, 11, 12)
        },
        "uc_version_w64_bit": "In the operand of `s_version`: the program can run in waves of 64 lanes.",
        "uc_version_w32_bit": "In the operand of `s_version`: the program can run in waves of 32 lanes.",
        "uc_version_mdp_bit": "In the operand of `s_version`: the program is debugged or profiled.",
        ".": "The current location in the section.",
    }
)
