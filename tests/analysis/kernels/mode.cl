// The MODE register is set between arithmetic: hazards of s_setreg.
#include "kernels.h"
kernel void rounding(global float *out, const global float *in) {
  uint i = place();
  float a = in[i] + 1;
  __builtin_amdgcn_s_setreg(0x801, 3);
  float b = in[i + 1] * in[i + 2];
  __builtin_amdgcn_s_setreg(0x801, group() & 3);
  out[i] = a + b;
  out[i + 1] = __builtin_amdgcn_s_getreg(0x801);
}
