// targets: gfx10* gfx11* gfx12*
// Permutation of lanes by scalars and by eights.
#include "kernels.h"
kernel void permlanes(global uint *out, const global uint *in, uint low, uint high) {
  uint i = place();
  uint v = in[i];
  uint a = __builtin_amdgcn_permlane16(v, v, low, high, false, false);
  uint b = __builtin_amdgcn_permlanex16(a, v, high, low, false, true);
  out[i] = a + b + __builtin_amdgcn_mov_dpp8(v, 0x53977);
}
