// targets: gfx12*
// Barriers in two parts, with work between the signal and the wait.
#include "kernels.h"
kernel void split_barrier(global uint *out, const global uint *in) {
  local uint near[256];
  uint t = item();
  near[t] = in[place()];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier_signal(-1);
  uint other = in[place() + 256] * 7;
  __builtin_amdgcn_s_barrier_wait(-1);
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[place()] = near[t ^ 1] + other;
}
kernel void first_one(global uint *out, const global uint *in) {
  local uint near[256];
  near[item()] = in[place()];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if (__builtin_amdgcn_s_barrier_signal_isfirst(-1)) out[place() + 256] = 1;
  __builtin_amdgcn_s_barrier_wait(-1);
  out[place()] = near[item() ^ 9] + __builtin_amdgcn_s_get_barrier_state(-1);
}
