// Functions of the transcendental unit, one after another and into each other.
#include "kernels.h"
kernel void functions(global float *out, const global float *in) {
  uint i = place();
  float x = in[i];
  float a = __builtin_amdgcn_rcpf(x), b = __builtin_amdgcn_rsqf(x), c = __builtin_amdgcn_sinf(x);
  float d = __builtin_amdgcn_cosf(a), e = __builtin_amdgcn_exp2f(b), f = __builtin_amdgcn_logf(c);
  out[i] = d + e * f + __builtin_amdgcn_sqrtf(d);
}
kernel void exponentials(global float *out, const global float *in) {
  uint i = place();
  out[i] = __builtin_expf(in[i]) + __builtin_logf(in[i + 256]);
}
kernel void pieces(global float *out, global int *exponent, const global float *in) {
  uint i = place();
  exponent[i] = __builtin_amdgcn_frexp_expf(in[i]);
  out[i] = __builtin_amdgcn_ldexpf(__builtin_amdgcn_frexp_mantf(in[i]), 3) + __builtin_amdgcn_fractf(in[i + 1]);
}
kernel void clamped(global float *out, const global float *in) {
  uint i = place();
  out[i] = __builtin_amdgcn_fmed3f(in[i], 0.0f, 1.0f) + (__builtin_amdgcn_classf(in[i + 1], 3) ? 1 : 0);
}
