// A matrix product as one writes it: registers, LDS, two buffers, an unrolled inner loop. The biggest of the kernels.
#include "kernels.h"
kernel void sgemm(global float *c, const global float4 *a, const global float4 *b, int n) {
  local float4 at[2][64], bt[2][64];
  uint t = item() & 63;
  float4 sum[4] = {0, 0, 0, 0};
  float4 na = a[t], nb = b[t];
  for (int k = 0; k < n; k++) {
    at[k & 1][t] = na;
    bt[k & 1][t] = nb;
    group_barrier();
    na = a[(k + 1) * 64 + t];
    nb = b[(k + 1) * 64 + t];
#pragma unroll
    for (int j = 0; j < 8; j++) {
      float4 x = at[k & 1][(t >> 3) * 8 + j], y = bt[k & 1][(t & 7) * 8 + j];
      sum[0] += x.x * y;
      sum[1] += x.y * y;
      sum[2] += x.z * y;
      sum[3] += x.w * y;
    }
  }
#pragma unroll
  for (int r = 0; r < 4; r++) *(global float4 *)(c + (place() * 4 + r) * 4) = sum[r];
}
