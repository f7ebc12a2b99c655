"""unread-text: a part of the file, or all of it, is not checked.

What it checks

Two kinds of file that LLVM's assembler for AMD GPUs does not read as a whole:

- The output of `clang -S` or `hipcc -S` for HIP is a bundle: a text for each GPU and one for the host, between comments
  with `__CLANG_OFFLOAD_BUNDLE__`. The part for the target is checked, or else the first part for a GPU. The rule
  reports each other part for a GPU; the host's is skipped.
- CLRX has an assembler of its own, with other directives (`.amdcl2`, `.gallium`, `.rocm`, `.config`) and other
  operands. Hovers explain its instructions; nothing else in such a file is reported.

Why it matters

No finding in a part that is not checked does not mean that it is correct.

Example

    # __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx90a
    .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
    s_nop 0
    # __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx90a
    # __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx1100
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
    s_nop 0
    # __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx1100

Use instead

    # __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx90a
    .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
    s_nop 0
    # __CLANG_OFFLOAD_BUNDLE____END__ hip-amdgcn-amd-amdhsa--gfx90a

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unread-text", Severity.INFORMATION, __doc__, any_target=True, found_by=("project.dialects",))
