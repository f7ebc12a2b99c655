// Ballots, counts of lanes below, the mask of active lanes, and branches on them.
#include "kernels.h"
kernel void compact(global uint *out, const global uint *in, global atomic_uint *next) {
  uint i = place();
  uint v = in[i];
  ulong mask = __builtin_amdgcn_uicmpl(v, 5ul, 34);
  uint below = __builtin_amdgcn_mbcnt_lo((uint)mask, 0);
  uint base = 0;
  if (below == 0)
    base = __opencl_atomic_fetch_add(next, (uint)__builtin_popcountl(mask), __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  base = __builtin_amdgcn_readfirstlane(base);
  if (v > 5) out[base + below] = v;
}
kernel void active(global ulong *out, const global uint *in) {
  uint i = place();
  if (in[i] & 1) out[i] = __builtin_amdgcn_read_exec();
}
kernel void votes(global uint *out, const global uint *in) {
  uint i = place();
  uint v = in[i];
  while (__builtin_amdgcn_uicmp(v, 100u, 36)) v = v * 3 + in[v & 255];
  out[i] = v;
}
