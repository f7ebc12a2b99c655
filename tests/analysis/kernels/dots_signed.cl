// targets: gfx11* gfx120? gfx1250
// Dot products of bytes with mixed signs.
#include "kernels.h"
kernel void dot_mixed(global int *out, const global int *a, const global int *b) {
  uint i = place();
  int sum = __builtin_amdgcn_sudot4(true, a[i], false, b[i], 0, false);
  out[i] = __builtin_amdgcn_sudot4(false, a[i + 1], true, b[i + 1], sum, true);
}
