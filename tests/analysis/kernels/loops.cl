// Loops: counted, with a bound that is loaded, nested, and one that ends on what it loads.
#include "kernels.h"
kernel void counted(global float *out, const global float *in, int n) {
  uint i = place();
  float sum = 0;
#pragma nounroll
  for (int k = 0; k < n; k++) sum += in[i + k * 256];
  out[i] = sum;
}
kernel void rows(global float *out, const global float *in, const global int *start) {
  uint i = place();
  float sum = 0;
  for (int k = start[i]; k < start[i + 1]; k++) sum += in[k];
  out[i] = sum;
}
kernel void nested(global float *out, const global float *in, int n, int m) {
  uint i = place();
  float best = -1;
#pragma nounroll
  for (int y = 0; y < n; y++) {
    float sum = 0;
#pragma nounroll
    for (int x = 0; x < m; x++) sum += in[y * m + x + i];
    best = __builtin_fmaxf(best, sum);
    out[y * 4096 + i] = best;
  }
}
kernel void list(global uint *out, const global uint2 *nodes) {
  uint at = place(), sum = 0;
  while (at != 0xffffffffu) {
    uint2 node = nodes[at];
    sum += node.y;
    at = node.x;
  }
  out[place()] = sum;
}
