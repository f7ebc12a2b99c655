// Sleep, priority, hardware registers, with loads between.
#include "kernels.h"
kernel void rested(global ulong *out, const global uint *in) {
  uint i = place();
  uint start = __builtin_amdgcn_s_getreg(0xf802);
  uint v = in[i];
  __builtin_amdgcn_s_sleep(3);
  __builtin_amdgcn_s_setprio(2);
  v += in[v];
  out[i] = __builtin_amdgcn_s_getreg(0xf802) - start + v;
  __builtin_amdgcn_s_setprio(0);
}
kernel void where(global uint *out) { out[place()] = __builtin_amdgcn_s_getreg(0xf804) + __builtin_amdgcn_s_getreg(0x1801); }
