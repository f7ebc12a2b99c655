// Joins: values that were loaded on one path only, on both, or before the branch and used on one path.
#include "kernels.h"
kernel void one_side(global float *out, const global float *in, int n) {
  uint i = place();
  float v = 1;
  if ((int)i < n) v = in[i];
  out[i] = v;
}
kernel void both_sides(global float *out, const global float *a, const global float *b, int n) {
  uint i = place();
  float v;
  if ((i ^ n) & 1) v = a[i] + a[i + 1];
  else v = b[i];
  out[i] = v * 2;
}
kernel void uniform_sides(global float *out, const global float *a, const global float *b, int n) {
  uint i = place();
  float early = a[i], v;
  if (n > 7) v = early * b[i];
  else if (n > 3) v = b[i + 1];
  else v = 0;
  out[i] = v;
}
kernel void choose(global float *out, const global float *a, int n) {
  uint i = place();
  float v = a[i];
  switch (n) {
  case 0: v += a[i + 256]; break;
  case 1: v *= a[i + 512]; break;
  case 2: v = a[(uint)v]; break;
  case 5: out[i + 1024] = v; break;
  default: v = 0;
  }
  out[i] = v;
}
