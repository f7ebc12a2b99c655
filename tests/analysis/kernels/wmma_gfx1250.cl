// targets: gfx1250
// Matrix instructions of gfx1250 and the waits behind them.
#include "kernels.h"
typedef float v8f __attribute__((ext_vector_type(8)));
typedef half v16h __attribute__((ext_vector_type(16)));
typedef float v2f __attribute__((ext_vector_type(2)));
typedef int v16i __attribute__((ext_vector_type(16)));
typedef int v8i __attribute__((ext_vector_type(8)));
kernel void wave_matrix(global v8f *out, const global v16h *a, const global v16h *b, int n) {
  v8f c = 0;
  for (int k = 0; k < n; k++)
    c = __builtin_amdgcn_wmma_f32_16x16x32_f16(0, a[k * 32 + item()], 0, b[k * 32 + item()], (short)0, c, false, false);
  out[place()] = c;
}
kernel void wave_matrix_floats(global v8f *out, const global v2f *a) {
  v8f c = out[place()];
  c = __builtin_amdgcn_wmma_f32_16x16x4_f32(0, a[place()], 0, a[0], (short)0, c, false, false);
  c = __builtin_amdgcn_wmma_f32_16x16x4_f32(0, c.s01, 0, a[1], (short)0, c, false, false);
  out[place()] = c * 2;
}
kernel void wave_matrix_bytes(global v8i *out, const global v8i *a) {
  v8i c = out[place()];
  c = __builtin_amdgcn_wmma_i32_16x16x64_iu8(true, a[place()], false, a[0], c, false, false);
  out[place()] = c;
}
