// A reduction over the work group: a loop that halves, branches on the work item, and a last store of one lane.
#include "kernels.h"
kernel void sum_group(global float *out, const global float *in) {
  local float part[256];
  uint t = item();
  part[t] = in[place()];
  for (uint s = 128; s > 0; s >>= 1) {
    group_barrier();
    if (t < s) part[t] += part[t + s];
  }
  group_barrier();
  if (t == 0) out[group()] = part[0];
}
kernel void scan_group(global uint *out, const global uint *in) {
  local uint a[2][256];
  uint t = item();
  int at = 0;
  a[0][t] = in[place()];
  group_barrier();
#pragma unroll
  for (uint s = 1; s < 256; s <<= 1) {
    a[1 - at][t] = a[at][t] + (t >= s ? a[at][t - s] : 0);
    at = 1 - at;
    group_barrier();
  }
  out[place()] = a[at][t];
}
