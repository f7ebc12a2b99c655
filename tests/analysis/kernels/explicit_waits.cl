// targets: gfx6* gfx7* gfx803 gfx9* gfx10* gfx11*
// Waits that the program itself asks for, beside those that are needed.
#include "kernels.h"
kernel void asked(global uint *out, const global uint *in) {
  uint i = place();
  uint a = in[i], b = in[i + 256];
  __builtin_amdgcn_s_waitcnt(0);
  out[i] = a + b;
  out[i + 256] = in[i + 512];
}
