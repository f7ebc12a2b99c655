// Scalar loads of many widths from constant memory and from arguments; they return out of order.
#include "kernels.h"
kernel void constants(global float *out, const constant float *table, int n) {
  uint i = place();
  const constant float *row = table + n * 64;
  out[i] = row[0] * row[9] + row[20];
}
kernel void wide_constants(global uint *out, const constant uint16 *table, const constant uint8 *more, const constant uint *few) {
  uint16 v = table[group()];
  uint8 w = more[group()];
  uint s = v.s0 ^ v.sf ^ (v.s7 * w.s3) ^ w.s7;
  out[place()] = s + few[s & 63];
}
kernel void narrow_constants(global uint *out, const constant uchar *bytes, const constant short *halves) {
  out[place()] = bytes[group()] + halves[group() * 2];
}
kernel void scalar_chain(global uint *out, const constant uint *next, uint at) {
#pragma nounroll
  while (at & 1) at = next[at >> 1];
  out[place()] = at;
}
