// Two tiles in turn: the next one is loaded while this one is read from LDS (values cross the back edge of the loop).
#include "kernels.h"
kernel void two_tiles(global float4 *out, const global float4 *in, int n) {
  local float4 tile[2][256];
  uint t = item();
  float4 next = in[t];
  float4 sum = 0;
  for (int k = 1; k < n; k++) {
    tile[k & 1][t] = next;
    next = in[k * 256 + t];
    group_barrier();
    sum += tile[k & 1][t ^ 7] * tile[k & 1][255 - t];
  }
  out[place()] = sum + next;
}
