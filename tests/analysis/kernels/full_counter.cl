// More loads outstanding than a counter of four bits can count, then used one after the other.
#include "kernels.h"
kernel void many_loads(global float *out, const global float *in) {
  uint i = place();
  float v[24];
#pragma unroll
  for (uint k = 0; k < 24; k++) v[k] = in[i + k * 4096];
  __builtin_amdgcn_sched_barrier(0);
#pragma unroll
  for (uint k = 0; k < 24; k++) out[i + k * 8192] = v[k] * v[(k + 1) % 24];
}
