// targets: gfx11* gfx12*
// The two halves of a wave of 64 lanes swap.
#include "kernels.h"
kernel void swap_wave_halves(global uint *out, const global uint *in) {
  uint i = place();
  out[i] = __builtin_amdgcn_permlane64(in[i]) + in[i + 256];
}
