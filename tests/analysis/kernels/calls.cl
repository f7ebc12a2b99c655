// Calls of functions that are not inlined: with many arguments, on the stack too, results in structures, two levels.
#include "kernels.h"
typedef struct { float a, b; int c[4]; } Pair;
static NOINLINE float square(float x) { return x * x + 1; }
static NOINLINE float twice(float x, const global float *p) { return square(x) + square(p[(int)x]); }
static NOINLINE Pair pair(float x, const global float *p) {
  Pair r = {p[0] * x, p[1], {1, 2, (int)x, 4}};
  return r;
}
static NOINLINE void store_all(global float *p, float16 a, float16 b, float16 c) {
  *(global float16 *)p = a + b * c;
}
kernel void call_one(global float *out, const global float *in) { out[place()] = square(in[place()]); }
kernel void call_two(global float *out, const global float *in) { out[place()] = twice(in[place()], in); }
kernel void call_struct(global float *out, const global float *in) {
  Pair r = pair(in[place()], in + 16);
  out[place()] = r.a + r.b + r.c[place() & 3];
}
kernel void call_stack(global float *out, const global float16 *in) {
  uint i = place();
  store_all(out + i * 16, in[i], in[i + 256], in[i + 512]);
}
