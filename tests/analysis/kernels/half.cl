// Half precision: packed arithmetic, results in one half of a register, conversions.
#include "kernels.h"
kernel void half_fma(global half2 *out, const global half2 *a, const global half2 *b) {
  uint i = place();
  out[i] = a[i] * b[i] + a[i + 256];
}
kernel void half_mix(global float *out, const global half *a, const global half *b) {
  uint i = place();
  out[i] = (float)a[i] * (float)b[i] + (float)a[i + 1];
}
kernel void half_pieces(global half *out, const global half *a) {
  uint i = place();
  half2 v = (half2)(a[i], a[i + 1024]);
  half2 w = (half2)(a[i + 2048], v.x);
  v = v * w + (half)2;
  out[i] = v.x;
  out[i + 1024] = v.y;
}
kernel void half_functions(global half *out, const global half *a) {
  uint i = place();
  half x = a[i];
  out[i] = __builtin_elementwise_sqrt(x) + __builtin_elementwise_exp2(x) / (x + (half)1);
}
