// Scalar and vector results that meet in one instruction, and scalar addresses of vector loads.
#include "kernels.h"
kernel void meet(global float *out, const global float *in, const constant float *factor, const constant int *base) {
  uint i = place();
  int at = base[group()];
  out[i] = in[at + i] * factor[group()] + factor[group() + 1];
}
kernel void scalar_pointers(global float *out, const constant ulong *pointers) {
  const global float *p = (const global float *)pointers[group()];
  const global float *q = (const global float *)pointers[group() + 1];
  uint i = item();
  out[place()] = p[i] + q[i];
}
