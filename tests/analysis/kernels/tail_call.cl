// Functions that end in a jump to another one, and one that never returns.
#include "kernels.h"
static NOINLINE float last(float x, const global float *p) { return p[(int)x] * 2; }
static NOINLINE float middle(float x, const global float *p) { return last(p[(int)x], p); }
static NOINLINE void stop(global float *out, float x) {
  out[0] = x;
  __builtin_trap();
}
kernel void tail(global float *out, const global float *in) {
  uint i = place();
  float v = middle(in[i], in);
  if (v < 0) stop(out, v);
  out[i] = v;
}
