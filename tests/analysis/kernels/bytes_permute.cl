// targets: gfx803 gfx9* gfx1*
// Byte permutation, and 16-bit integers that use parts of registers (SDWA where the target has it).
#include "kernels.h"
kernel void permute_bytes(global uint *out, const global uint *a, const global uint *b) {
  uint i = place();
  out[i] = __builtin_amdgcn_perm(a[i], b[i], 0x01060403);
}
kernel void shorts(global ushort4 *out, const global ushort4 *a, const global uchar4 *b) {
  uint i = place();
  out[i] = a[i] * convert_ushort4(b[i]) + (ushort)3;
}
kernel void parts(global uint *out, const global uint *a) {
  uint i = place();
  uint x = a[i], y = a[i + 256];
  out[i] = ((x >> 16) + (y & 0xffff)) * ((x >> 24) | (y >> 8 & 0xff));
}
