// Double precision: arithmetic, division, square root and conversions.
#include "kernels.h"
kernel void axpy(global double *y, const global double *x, double a) { y[place()] += a * x[place()]; }
kernel void divide(global double *out, const global double *a, const global double *b) {
  uint i = place();
  out[i] = a[i] / b[i];
}
kernel void root(global double *out, const global double2 *a) {
  double2 v = a[place()];
  out[place()] = __builtin_sqrt(v.x * v.x + v.y * v.y);
}
kernel void convert(global long *out, global float *low, const global double *a, const global long *b) {
  uint i = place();
  out[i] = (long)a[i];
  low[i] = (float)a[i] + (float)b[i];
}
