// targets: gfx950
// Loads into LDS of 12 and 16 bytes a lane.
#include "kernels.h"
kernel void wide_to_lds(global uint4 *out, const global uint4 *in, int n) {
  local uint4 tile[2][64];
  __builtin_amdgcn_global_load_lds(in + place(), tile[0], 16, 0, 0);
  uint4 sum = 0;
  for (int k = 1; k < n; k++) {
    __builtin_amdgcn_global_load_lds(in + place() + k * 64, tile[k & 1], 16, 0, 0);
    group_barrier();
    sum += tile[1 - (k & 1)][item() ^ 3];
    group_barrier();
  }
  out[place()] = sum;
}
