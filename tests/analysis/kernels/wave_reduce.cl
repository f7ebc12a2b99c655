// targets: * !gfx600 !gfx700
// Reductions over the lanes of a wave: of uniform and of divergent values.
#include "kernels.h"
kernel void reduce(global uint *out, const global uint *in) {
  uint i = place();
  uint v = in[i];
  out[group()] = __builtin_amdgcn_wave_reduce_max_u32(v, 0);
  out[group() + 256] = __builtin_amdgcn_wave_reduce_min_u32(v * 3, 0);
}
