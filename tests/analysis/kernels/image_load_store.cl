// targets: gfx803 gfx900 gfx906 gfx908 gfx10* gfx11* gfx120?
// Image loads and stores, of one, two and three dimensions, with a mip level.
#include "kernels.h"
kernel void image_copy(__amdgpu_texture_t in, __amdgpu_texture_t out, global float *low) {
  int x = item(), y = group();
  float4 a = __builtin_amdgcn_image_load_2d_v4f32_i32(15, x, y, in, 0, 0);
  float4 b = __builtin_amdgcn_image_load_2d_v4f32_i32(15, y, x, in, 0, 0);
  __builtin_amdgcn_image_store_2d_v4f32_i32(a + b, 15, x, y, out, 0, 0);
  low[place()] = __builtin_amdgcn_image_load_2d_f32_i32(1, (int)a.x, y, in, 0, 0);
}
kernel void image_deep(__amdgpu_texture_t in, __amdgpu_texture_t out) {
  int x = item(), y = group();
  float4 a = __builtin_amdgcn_image_load_3d_v4f32_i32(15, x, y, x ^ y, in, 0, 0);
  float4 b = __builtin_amdgcn_image_load_mip_2d_v4f32_i32(15, x, y, 2, in, 0, 0);
  __builtin_amdgcn_image_store_1d_v4f32_i32(a * b, 15, x, out, 0, 0);
}
