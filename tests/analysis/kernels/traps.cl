// Traps: what the program does when an assertion fails.
#include "kernels.h"
kernel void asserts(global uint *out, const global uint *in) {
  uint i = place();
  uint v = in[i];
  if (v > 1000) __builtin_trap();
  __builtin_debugtrap();
  out[i] = in[v];
}
