// targets: gfx950
// Two registers swap rows of lanes.
#include "kernels.h"
kernel void swaps(global uint *out, const global uint *in) {
  uint i = place();
  uint2 a = __builtin_amdgcn_permlane16_swap(in[i], in[i + 256], false, false);
  uint2 b = __builtin_amdgcn_permlane32_swap(a.x, a.y, false, false);
  out[i] = b.x * b.y;
}
