// targets: gfx6* gfx7* gfx803 gfx900 gfx906 gfx908 gfx10*
// Interpolation of attributes, which reads M0.
#include "kernels.h"
kernel void interpolated(global float *out, const global float2 *ij, uint prim) {
  float2 at = ij[place()];
  float p = __builtin_amdgcn_interp_p1(at.x, 1, 2, prim);
  out[place()] = __builtin_amdgcn_interp_p2(p, at.y, 1, 2, prim) + __builtin_amdgcn_interp_mov(2, 0, 1, prim);
}
