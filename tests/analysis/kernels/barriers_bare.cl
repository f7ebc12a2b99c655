// Barriers without fences, and volatile accesses around them.
#include "kernels.h"
kernel void bare(global uint *out, const global uint *in) {
  local volatile uint near[256];
  uint t = item();
  near[t] = in[place()];
  __builtin_amdgcn_s_barrier();
  uint v = near[t ^ 1];
  __builtin_amdgcn_s_barrier();
  near[t] = v + in[place() + 1];
  __builtin_amdgcn_wave_barrier();
  out[place()] = near[t ^ 2];
}
kernel void scheduled(global uint *out, const global uint *in) {
  uint i = place();
  uint a = in[i];
  __builtin_amdgcn_sched_barrier(0);
  uint b = in[i + 256];
  __builtin_amdgcn_sched_barrier(0);
  uint c = in[i + 512];
  __builtin_amdgcn_sched_barrier(0);
  out[i] = c;
  __builtin_amdgcn_sched_barrier(0);
  out[i + 256] = b * 3;
  __builtin_amdgcn_sched_barrier(0);
  out[i + 512] = a * 5;
}
