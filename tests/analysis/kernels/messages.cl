// Messages with M0, which has to be set some states before, and the halt of the wave.
#include "kernels.h"
kernel void interrupt(global uint *out, const global uint *in) {
  uint i = place();
  out[i] = in[i];
  __builtin_amdgcn_s_sendmsg(1, in[0]);
  out[i + 256] = in[i + 256];
}
