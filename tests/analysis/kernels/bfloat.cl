// Brain floats, which most targets convert in integer arithmetic.
#include "kernels.h"
kernel void scale(global __bf16 *out, const global __bf16 *in, float f) {
  uint i = place();
  out[i] = (__bf16)((float)in[i] * f);
}
kernel void both(global __bf16 *out, const global __bf16 *in) {
  uint i = place() * 2;
  float a = (float)in[i], b = (float)in[i + 1];
  out[i] = (__bf16)(a + b);
  out[i + 1] = (__bf16)(a - b);
}
