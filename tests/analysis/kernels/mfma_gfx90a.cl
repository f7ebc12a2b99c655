// targets: gfx90a gfx942 gfx950
// Double precision matrix instructions, with vector arithmetic and memory behind them.
#include "kernels.h"
typedef double v4d __attribute__((ext_vector_type(4)));
typedef short v4s __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
kernel void double_chain(global v4d *out, const global double *a, const global double *b, int n) {
  v4d c = 0;
  for (int k = 0; k < n; k++) c = __builtin_amdgcn_mfma_f64_16x16x4f64(a[k * 64 + item()], b[k * 64 + item()], c, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f64_16x16x4f64(c.x, c.y, c, 0, 0, 0);
  out[place()] = c;
}
kernel void double_small(global double *out, const global double *a) {
  double c = out[place()], x = a[place()];
  c = __builtin_amdgcn_mfma_f64_4x4x4f64(x, x, c, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f64_4x4x4f64(x, c, c, 0, 0, 0);
  x = c * x + 1;
  c = __builtin_amdgcn_mfma_f64_4x4x4f64(x, a[0], c, 0, 0, 0);
  out[place()] = c;
}
kernel void brain_1k(global v16f *out, const global v4s *a) {
  v4s x = a[place()];
  v16f c = out[place()];
  c = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(x, x, c, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f32_16x16x4bf16_1k(x, x, c, 0, 0, 0);
  out[place()] = c;
}
kernel void packed(global float4 *out, const global float4 *a, const global float4 *b) {
  float4 x = a[place()], y = b[place()];
  out[place()] = x * y + b[place() + 256];
}
