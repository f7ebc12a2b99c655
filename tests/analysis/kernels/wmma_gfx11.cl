// targets: gfx11*
// waves: 32
// Matrix instructions of gfx11, chained by C and by A.
#include "kernels.h"
typedef float v8f __attribute__((ext_vector_type(8)));
typedef half v16h __attribute__((ext_vector_type(16)));
typedef int v8i __attribute__((ext_vector_type(8)));
typedef int v4i __attribute__((ext_vector_type(4)));
kernel void wave_matrix(global v8f *out, const global v16h *a, const global v16h *b, int n) {
  v8f c = 0;
  for (int k = 0; k < n; k++) c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a[k * 32 + item()], b[k * 32 + item()], c);
  out[place()] = c;
}
kernel void wave_matrix_chain(global v16h *out, const global v16h *a) {
  v16h x = a[place()], c = out[place()];
  c = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(x, x, c, false);
  c = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(c, x, x, false);
  c = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(c + (half)1, c, x, true);
  out[place()] = c;
}
kernel void wave_matrix_bytes(global v8i *out, const global v4i *a) {
  v8i c = out[place()];
  c = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, a[place()], false, a[0], c, false);
  out[place()] = c * 3;
}
