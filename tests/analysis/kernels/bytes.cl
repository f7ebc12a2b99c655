// targets: * !gfx600
// Byte instructions: sums of differences, permutation, alignment, bit fields.
#include "kernels.h"
kernel void differences(global uint *out, const global uint *a, const global uint *b) {
  uint i = place();
  uint s = __builtin_amdgcn_sad_u8(a[i], b[i], 0);
  s = __builtin_amdgcn_sad_u16(a[i], b[i + 1], s);
  out[i] = __builtin_amdgcn_msad_u8(a[i + 1], b[i], s) + __builtin_amdgcn_lerp(a[i], b[i], s);
}
kernel void quads(global ulong *out, const global ulong *a, const global uint *b) {
  uint i = place();
  out[i] = __builtin_amdgcn_qsad_pk_u16_u8(a[i], b[i], 3);
}
kernel void fields(global uint *out, const global uint *a) {
  uint i = place();
  uint x = a[i], y = a[i + 1];
  out[i] = __builtin_amdgcn_ubfe(x, 5, 7) + __builtin_amdgcn_alignbit(x, y, 9) + __builtin_popcount(x) +
           __builtin_clz(y | 1) + (x >> 8 & 0xff) * (y & 0xff);
}
