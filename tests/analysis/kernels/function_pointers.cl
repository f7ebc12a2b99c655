// options: -Xclang -cl-ext=+__cl_clang_function_pointers
// Calls through pointers, one that is the same for all lanes and one that is not (a loop over the lanes).
#include "kernels.h"
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef float (*Op)(float);
static NOINLINE float f0(float x) { return x + 1; }
static NOINLINE float f1(float x) { return x * x; }
kernel void indirect(global float *out, const global float *in, int which) {
  Op op = which ? f0 : f1;
  out[place()] = op(in[place()]);
}
kernel void divergent(global float *out, const global float *in) {
  Op op = in[place()] > 0 ? f0 : f1;
  out[place()] = op(in[place() + 256]);
}
