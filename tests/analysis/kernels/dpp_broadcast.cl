// targets: gfx803 gfx9*
// DPP across rows: the wave shifts and broadcasts that were dropped with gfx10.
#include "kernels.h"
kernel void wave_sum(global int *out, const global int *in) {
  int v = in[place()];
  v += __builtin_amdgcn_update_dpp(0, v, 0x118, 15, 15, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x142, 10, 15, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x143, 12, 15, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x138, 15, 15, false);
  out[group()] = __builtin_amdgcn_readlane(v, 63);
}
