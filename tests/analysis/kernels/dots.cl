// targets: gfx906 gfx908 gfx90a gfx942 gfx950 gfx1011 gfx1012 gfx103? gfx11* gfx120?
// Dot products of small integers and halves.
#include "kernels.h"
kernel void dot_half(global float *out, const global half2 *a, const global half2 *b) {
  uint i = place();
  out[i] = __builtin_amdgcn_fdot2(a[i], b[i], 1.0f, false);
}
kernel void dot_bytes(global uint *out, const global uint *a, const global uint *b) {
  uint i = place();
  uint sum = __builtin_amdgcn_udot4(a[i], b[i], 0, false);
  sum = __builtin_amdgcn_udot4(a[i + 256], b[i + 256], sum, false);
  out[i] = __builtin_amdgcn_udot8(a[i], b[i], sum, true);
}
