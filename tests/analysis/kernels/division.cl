// Division: the scale, fma and fixup sequence with VCC between, integers and remainders.
#include "kernels.h"
kernel void floats(global float *out, const global float *a, const global float *b) {
  uint i = place();
  out[i] = a[i] / b[i];
}
kernel void float_vectors(global float4 *out, const global float4 *a, const global float4 *b) {
  uint i = place();
  out[i] = a[i] / b[i];
}
kernel void integers(global int *out, const global int *a, const global int *b) {
  uint i = place();
  out[i] = a[i] / b[i] - a[i + 1] % b[i + 1];
}
kernel void uniform_integers(global uint *out, uint a, uint b) { out[place()] = a / b + a % (b + 1); }
