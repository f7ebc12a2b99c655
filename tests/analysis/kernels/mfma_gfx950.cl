// targets: gfx950
// Matrix instructions of gfx950: double width, and scaled ones of eight, six and four bits.
#include "kernels.h"
typedef float v4f __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
typedef int v8i __attribute__((ext_vector_type(8)));
typedef half v8h __attribute__((ext_vector_type(8)));
kernel void double_width(global v16f *out, const global v8h *a, const global v8h *b) {
  v16f c = out[place()];
  c = __builtin_amdgcn_mfma_f32_32x32x16_f16(a[place()], b[place()], c, 0, 0, 0);
  v4f d = __builtin_amdgcn_mfma_f32_16x16x32_f16(a[place()], b[place()], c.s0123, 0, 0, 0);
  c.s0123 = d;
  out[place()] = c;
}
kernel void scaled(global v4f *out, const global v8i *a, const global v8i *b, const global int *scales) {
  v4f c = out[place()];
  v8i x = a[place()], y = b[place()];
  int s = scales[place()], t = scales[place() + 256];
  c = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, c, 0, 0, 0, s, 1, t);
  c = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, c, 4, 4, 1, s + t, 0, t);
  out[place()] = c;
}
kernel void scaled_wide(global v16f *out, const global v8i *a, int s) {
  v16f c = out[place()];
  v8i x = a[place()];
  c = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(x, x, c, 2, 2, 0, s, 0, s);
  out[place()] = c * 3;
}
