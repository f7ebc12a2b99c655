// An address that comes from a load, and one from a load of that: chains of waits.
#include "kernels.h"
kernel void gather(global float *out, const global float *in, const global int *index) {
  uint i = place();
  out[i] = in[index[index[i]]];
}
kernel void scatter(global float *out, const global float2 *in, const global int2 *index) {
  uint i = place();
  int2 at = index[i];
  float2 v = in[i];
  out[at.x] = v.x;
  out[at.y] = v.y;
}
