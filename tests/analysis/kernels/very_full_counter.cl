// targets: gfx9* gfx1*
// More loads outstanding than a counter of six bits can count.
#include "kernels.h"
kernel void most_loads(global float *out, const global float *in) {
  uint i = place();
  float v[80];
#pragma unroll
  for (uint k = 0; k < 80; k++) v[k] = in[i + k * 4096];
  __builtin_amdgcn_sched_barrier(0);
  float sum = 0;
#pragma unroll
  for (uint k = 0; k < 80; k++) sum = sum * 0.5f + v[k];
  out[i] = sum;
}
