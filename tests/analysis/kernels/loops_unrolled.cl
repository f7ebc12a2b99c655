// Loops that the compiler unrolls by four and by eight, with what is left over in a loop of its own.
#include "kernels.h"
kernel void by_four(global float *out, const global float *in, int n) {
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < n; k++) sum += in[place() + k * 512];
  out[place()] = sum;
}
kernel void by_eight(global float4 *out, const global float4 *x, const global float4 *y, int n) {
  uint i = place();
#pragma unroll 8
  for (int k = 0; k < n; k++) out[i + k * 256] = x[i + k * 256] * 3 + y[i + k * 256];
}
