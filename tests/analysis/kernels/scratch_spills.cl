// options: -mllvm -amdgpu-enable-rewrite-partial-reg-uses=0
// So much is live at once that registers spill.
#include "kernels.h"
__attribute__((amdgpu_num_vgpr(32)))
kernel void spills(global float *out, const global float *in) {
  uint i = place();
  float v[48];
#pragma unroll
  for (int k = 0; k < 48; k++) v[k] = in[i + k * 256];
  group_barrier();
#pragma unroll
  for (int k = 0; k < 48; k++) out[i + k * 256] = v[k] * v[47 - k] + v[(k * 5) % 48];
}
__attribute__((amdgpu_num_sgpr(32)))
kernel void scalar_spills(global uint *out, const constant uint *in) {
  uint v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = in[k * 16];
  __builtin_amdgcn_sched_barrier(0);
  uint s = item();
#pragma unroll
  for (int k = 0; k < 40; k++) s = s * v[k] + v[39 - k];
  out[place()] = s;
}
