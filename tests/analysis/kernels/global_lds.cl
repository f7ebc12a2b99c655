// targets: gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx10*
// Global loads straight into LDS, read by the same wave without a barrier, and with one.
#include "kernels.h"
kernel void global_to_lds(global uint *out, const global uint *in) {
  local uint tile[256];
  __builtin_amdgcn_global_load_lds(in + place(), tile, 4, 0, 0);
  group_barrier();
  out[place()] = tile[item() ^ 1];
}
kernel void global_to_own_lds(global uint *out, const global uint *in) {
  local uint tile[64], other[64];
  other[item()] = in[item()];
  group_barrier();
  __builtin_amdgcn_global_load_lds(in + place(), tile, 4, 0, 0);
  out[place() + 512] = other[item() ^ 3];
  __builtin_amdgcn_global_load_lds(in + place() + 64, other, 4, 0, 0);
  out[place()] = tile[item()];
  out[place() + 256] = other[item()];
}
