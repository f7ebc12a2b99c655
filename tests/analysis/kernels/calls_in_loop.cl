// Calls in a loop, and values that live across them in callee-saved registers and in scratch.
#include "kernels.h"
static NOINLINE float step(float x, const global float *table) { return table[(int)x & 1023] * 0.5f; }
kernel void iterate(global float *out, const global float *table, int n) {
  float x = place(), y = 1;
  for (int k = 0; k < n; k++) {
    x = step(x, table);
    y = y * x + step(y, table);
  }
  out[place()] = x + y;
}
kernel void many_live(global float *out, const global float *in) {
  uint i = place();
  float v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = in[i + k * 256];
  float x = step(v[0], in);
#pragma unroll
  for (int k = 0; k < 40; k++) x = x * v[k] + 1;
  out[i] = x;
}
