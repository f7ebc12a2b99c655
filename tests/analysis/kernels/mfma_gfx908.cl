// targets: gfx908 gfx90a gfx942 gfx950
// Matrix instructions of every number of passes, chained by C, by A and by reads of the result.
#include "kernels.h"
typedef float v16f __attribute__((ext_vector_type(16)));
typedef float v32f __attribute__((ext_vector_type(32)));
typedef float v4f __attribute__((ext_vector_type(4)));
typedef half v4h __attribute__((ext_vector_type(4)));
kernel void chain_4(global v4f *out, const global float *a, const global float *b) {
  v4f c = out[place()];
  float x = a[place()], y = b[place()];
  c = __builtin_amdgcn_mfma_f32_4x4x1f32(x, y, c, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f32_4x4x1f32(y, x, c, 1, 1, 0);
  c = __builtin_amdgcn_mfma_f32_4x4x1f32(c.x, x, c, 0, 0, 0);
  out[place()] = c;
}
kernel void chain_16(global v16f *out, const global float *a, const global float *b, int n) {
  v16f c = 0, d = 1;
  for (int k = 0; k < n; k++) {
    float x = a[place() + k * 64], y = b[place() + k * 64];
    c = __builtin_amdgcn_mfma_f32_32x32x2f32(x, y, c, 0, 0, 0);
    d = __builtin_amdgcn_mfma_f32_32x32x2f32(y, x, d, 0, 0, 0);
  }
  out[place()] = c + d;
}
kernel void chain_32(global v32f *out, const global float *a) {
  v32f c = out[place()];
  c = __builtin_amdgcn_mfma_f32_32x32x1f32(a[0], a[place()], c, 0, 0, 0);
  float s = c.s3 * 2;
  c = __builtin_amdgcn_mfma_f32_32x32x1f32(s, a[place()], c, 0, 0, 1);
  out[place()] = c;
}
kernel void halves(global v16f *out, const global v4h *a, const global v4h *b) {
  v16f c = out[place()];
  v4h x = a[place()], y = b[place()];
  c = __builtin_amdgcn_mfma_f32_16x16x4f16(x, y, c, 2, 1, 0);
  x = x * y;
  c = __builtin_amdgcn_mfma_f32_16x16x4f16(x, y, c, 2, 1, 0);
  v4f d = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, c.s0123, 0, 0, 0);
  c.s4567 = d;
  out[place()] = c;
}
kernel void bytes_8(global int4 *out, const global int *a) {
  typedef int v4i __attribute__((ext_vector_type(4)));
  v4i c = out[place()];
  c = __builtin_amdgcn_mfma_i32_4x4x4i8(a[place()], a[0], c, 0, 0, 0);
  int s = c.x + c.w;
  typedef int v16i __attribute__((ext_vector_type(16)));
  v16i d = __builtin_amdgcn_mfma_i32_16x16x4i8(s, a[3], (int16)(c, c, c, c), 0, 0, 0);
  c = d.s0123;
  out[place()] = c;
}
