// targets: gfx803 gfx900 gfx906 gfx908 gfx10* gfx11* gfx120?
// options: -Xclang -target-feature -Xclang +extended-image-insts
// Samples of images mixed with loads: two counters on gfx12, one order before.
#include "kernels.h"
typedef int v4i __attribute__((ext_vector_type(4)));
kernel void sampled(__amdgpu_texture_t in, v4i s, __amdgpu_texture_t other, global float4 *out) {
  float x = item() * 0.01f, y = group() * 0.02f;
  float4 a = __builtin_amdgcn_image_sample_2d_v4f32_f32(15, x, y, in, s, false, 0, 0);
  float4 b = __builtin_amdgcn_image_load_2d_v4f32_i32(15, item(), group(), other, 0, 0);
  float4 c = __builtin_amdgcn_image_sample_lz_2d_v4f32_f32(15, y, x, in, s, false, 0, 0);
  float4 d = out[place()];
  out[place()] = (a + b) * c + d;
}
kernel void dependent_samples(__amdgpu_texture_t in, v4i s, global float *out) {
  float4 at = __builtin_amdgcn_image_sample_lz_2d_v4f32_f32(15, item() * 0.1f, 0.5f, in, s, false, 0, 0);
  for (int k = 0; k < 3; k++) at = __builtin_amdgcn_image_sample_lz_2d_v4f32_f32(15, at.x, at.w, in, s, false, 0, 0);
  out[place()] = at.x + at.y;
}
