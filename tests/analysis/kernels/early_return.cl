// Kernels that end early on some lanes or for all, with loads in flight.
#include "kernels.h"
kernel void bounds(global float *out, const global float *in, uint n) {
  uint i = place();
  if (i >= n) return;
  out[i] = in[i] * 2;
}
kernel void found(global uint *out, const global uint *in, uint key) {
  uint i = place();
  for (uint k = 0; k < 64; k++) {
    if (in[i * 64 + k] == key) {
      out[i] = k;
      return;
    }
  }
  out[i] = 64;
}
kernel void uniform_return(global uint *out, const global uint *in, const constant uint *limits) {
  if (limits[group()] < 5) return;
  uint i = place();
  if (in[i] == 0) __builtin_amdgcn_endpgm();
  out[i] = in[i + 256];
}
