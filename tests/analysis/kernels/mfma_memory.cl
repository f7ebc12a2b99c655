// targets: gfx908 gfx90a gfx942 gfx950
// Results of matrix instructions that go to memory and to LDS, and sources that come from there at once.
#include "kernels.h"
typedef float v4f __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
kernel void tile_product(global v4f *out, const global float *a, const global float *b, int n) {
  local float at[256], bt[256];
  uint t = item();
  v4f c = 0;
  for (int k = 0; k < n; k++) {
    at[t] = a[place() + k * 256];
    bt[t] = b[place() + k * 256];
    group_barrier();
#pragma unroll
    for (int j = 0; j < 4; j++) c = __builtin_amdgcn_mfma_f32_16x16x4f32(at[t ^ j], bt[t ^ j], c, 0, 0, 0);
    group_barrier();
  }
  out[place()] = c;
}
kernel void through_lds(global v4f *out, const global float *a) {
  local v4f tile[64];
  v4f c = 0;
  c = __builtin_amdgcn_mfma_f32_16x16x4f32(a[item()], a[item() + 64], c, 0, 0, 0);
  tile[item()] = c;
  group_barrier();
  v4f d = tile[item() ^ 1];
  d = __builtin_amdgcn_mfma_f32_16x16x4f32(c.x, c.y, d, 0, 0, 0);
  if (d.x > 3) d = __builtin_amdgcn_mfma_f32_16x16x4f32(d.x, d.y, d, 0, 0, 0);
  out[item()] = d;
}
kernel void lanes_of_result(global float *out, const global float *a) {
  v16f c = 0;
  c = __builtin_amdgcn_mfma_f32_32x32x2f32(a[item()], a[item() + 64], c, 0, 0, 0);
  float first = as_float(__builtin_amdgcn_readfirstlane(as_int(c.s0)));
  out[place()] = c.s5 * first + as_float(__builtin_amdgcn_ds_bpermute(item() * 4, as_int(c.sf)));
}
