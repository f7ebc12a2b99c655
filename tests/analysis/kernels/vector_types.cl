// Vectors in pieces: shuffles between loads and stores leave partial overlap of register ranges.
#include "kernels.h"
kernel void transpose_rows(global float4 *out, const global float4 *in) {
  uint i = place() * 4;
  float4 a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3];
  out[i] = (float4)(a.x, b.x, c.x, d.x);
  out[i + 1] = (float4)(a.y, b.y, c.y, d.y);
  out[i + 2] = (float4)(a.z, b.z, c.z, d.z);
  out[i + 3] = (float4)(a.w, b.w, c.w, d.w);
}
kernel void pick(global float2 *out, const global float8 *in) {
  uint i = place();
  float8 v = in[i];
  out[i] = v.s07 + v.s34;
}
