// A softmax over a row: reductions in LDS, exponentials and a division, three passes over memory.
#include "kernels.h"
kernel void softmax(global float *out, const global float *in, int n) {
  local float part[256];
  uint t = item();
  const global float *row = in + group() * n;
  float high = -1e30f;
  for (int k = t; k < n; k += 256) high = __builtin_fmaxf(high, row[k]);
  part[t] = high;
  for (uint s = 128; s > 0; s >>= 1) {
    group_barrier();
    if (t < s) part[t] = __builtin_fmaxf(part[t], part[t + s]);
  }
  group_barrier();
  high = part[0];
  group_barrier();
  float sum = 0;
  for (int k = t; k < n; k += 256) sum += __builtin_expf(row[k] - high);
  part[t] = sum;
  for (uint s = 128; s > 0; s >>= 1) {
    group_barrier();
    if (t < s) part[t] += part[t + s];
  }
  group_barrier();
  sum = part[0];
  for (int k = t; k < n; k += 256) out[group() * n + k] = __builtin_expf(row[k] - high) / sum;
}
