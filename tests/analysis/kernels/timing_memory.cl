// targets: gfx803 gfx9* gfx10*
// The clock of the scalar memory unit.
#include "kernels.h"
kernel void memtime(global ulong *out, const global uint *in) {
  uint i = place();
  ulong start = __builtin_amdgcn_s_memtime();
  uint v = in[i] + in[i + 256];
  out[i] = __builtin_amdgcn_s_memtime() - start + v;
}
kernel void realtime(global ulong *out) { out[place()] = __builtin_amdgcn_s_memrealtime(); }
