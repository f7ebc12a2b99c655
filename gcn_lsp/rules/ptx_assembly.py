"""ptx-assembly: a statement of inline assembly in HIP code is PTX, the assembly of NVIDIA's GPUs.

What it checks

Statements that begin with an opcode of PTX in sources that are HIP by their name or that include HIP's headers. The
finding says what AMD has instead.

- A statement in an `#if` is reported only if its conditions hold for AMD GPUs: `#ifdef __CUDA_ARCH__` does not, and
  what depends on a name of the build is left alone.

Why it matters

Clang passes the text of a statement to the assembler unseen, so the error comes from the assembler and names a line of
the compiled code. hipify does not translate inline assembly.

Example

    // gcn-lsp: target=gfx90a
    #include <hip/hip_runtime.h>
    __device__ unsigned f(unsigned a, unsigned b, unsigned c) {
      unsigned x;
      asm volatile("prmt.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
      return x;
    }

Use instead

    // gcn-lsp: target=gfx90a
    #include <hip/hip_runtime.h>
    __device__ unsigned f(unsigned a, unsigned b, unsigned c) {
      return __byte_perm(a, b, c);
    }

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("ptx-assembly", Severity.ERROR, __doc__, found_by=("findings.ptx",))
