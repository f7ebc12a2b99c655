// Many independent loads in flight, used in the order they were issued: partial counts down to zero.
#include "kernels.h"
kernel void strided_sum(global float *out, const global float *in, uint stride) {
  uint i = place();
  float sum = 0;
#pragma unroll
  for (uint k = 0; k < 12; k++) sum = sum * 1.5f + in[i + k * stride];
  out[i] = sum;
}
kernel void backwards(global float *out, const global float *in) {
  uint i = place();
  float a[8];
#pragma unroll
  for (uint k = 0; k < 8; k++) a[k] = in[i * 64 + k * 4];
#pragma unroll
  for (uint k = 0; k < 8; k++) out[i * 8 + k * 1024] = a[7 - k] + 1;
}
