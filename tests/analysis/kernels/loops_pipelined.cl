// Loops whose loads are for the next turn: the wait at the use sees operations of the turn before.
#include "kernels.h"
kernel void ahead_one(global float *out, const global float *in, int n) {
  uint i = place();
  float next = in[i], sum = 0;
#pragma nounroll
  for (int k = 1; k <= n; k++) {
    float now = next;
    next = in[i + k * 256];
    sum = sum * now + 1;
  }
  out[i] = sum + next;
}
kernel void ahead_three(global float *out, const global float *in, int n) {
  uint i = place();
  float a = in[i], b = in[i + 256], c = in[i + 512], sum = 0;
#pragma nounroll
  for (int k = 3; k <= n; k++) {
    sum = sum * a + 1;
    a = b;
    b = c;
    c = in[i + k * 256];
    out[i + k * 256] = sum;
  }
  out[i] = sum + a + b + c;
}
