// Loads and stores mixed: one counter for both up to gfx9, two from gfx10.
#include "kernels.h"
kernel void interleaved(global volatile float *out, const global volatile float *in) {
  uint i = place();
  float a = in[i];
  out[i] = 1;
  float b = in[i + 1024];
  out[i + 1024] = 2;
  float c = in[i + 2048];
  out[i + 2048] = a;
  out[i + 3072] = b + c;
}
kernel void swap_halves(global float *data) {
  uint i = place();
  float a = data[i], b = data[i + 4096];
  data[i] = b;
  data[i + 4096] = a;
  float c = data[i + 8192];
  data[i + 8192] = c + a;
}
