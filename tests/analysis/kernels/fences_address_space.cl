// Fences of one address space only.
#include "kernels.h"
kernel void local_fence(global uint *out, const global uint *in) {
  local uint near[256];
  uint i = place(), t = item();
  near[t] = in[i];
  uint other = in[i + 256];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
  out[i] = near[t ^ 1] + other;
}
kernel void global_fence(global uint *out, const global uint *in) {
  local uint near[256];
  uint i = place(), t = item();
  out[i] = in[i];
  near[t] = i;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent", "global");
  out[i + 256] = near[t] + in[i + 99];
}
