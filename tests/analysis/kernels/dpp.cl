// targets: gfx803 gfx9* gfx10* gfx11* gfx12*
// DPP: sums over a row by shifts, and a quad permutation.
#include "kernels.h"
kernel void row_sum(global int *out, const global int *in) {
  uint i = place();
  int v = in[i];
  v += __builtin_amdgcn_update_dpp(0, v, 0x111, 15, 15, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x112, 15, 15, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x114, 15, 15, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x118, 15, 12, true);
  out[i] = v;
}
kernel void quad(global float *out, const global float *in) {
  uint i = place();
  int v = as_int(in[i]);
  float a = as_float(__builtin_amdgcn_mov_dpp(v, 0xb1, 15, 15, true));
  float b = as_float(__builtin_amdgcn_mov_dpp(v, 0x4e, 15, 15, true));
  out[i] = a * b;
}
