// targets: * !gfx600
// Wide private values on the stack, and a pointer to them that leaves the function.
#include "kernels.h"
static NOINLINE void fill(double4 *p, int n) { p[n & 3] = (double4)(n, n + 1, n + 2, n + 3); }
kernel void vectors(global double4 *out, int n) {
  double4 v[4] = {0, 1, 2, 3};
  fill(v, n);
  fill(v, n + place());
  out[place()] = v[n & 3] + v[place() & 3];
}
kernel void volatile_stack(global float *out, const global float *in) {
  volatile float a[4];
  uint i = place();
  a[0] = in[i];
  a[1] = a[0] * 2;
  a[2] = a[1] + a[0];
  out[i] = a[2] + in[i + 256];
}
