// targets: gfx120?
// waves: 32
// Matrix instructions of gfx12, dense and sparse.
#include "kernels.h"
typedef float v8f __attribute__((ext_vector_type(8)));
typedef half v8h __attribute__((ext_vector_type(8)));
typedef half v16h __attribute__((ext_vector_type(16)));
typedef int v2i __attribute__((ext_vector_type(2)));
kernel void wave_matrix(global v8f *out, const global v8h *a, const global v8h *b, int n) {
  v8f c = 0;
  for (int k = 0; k < n; k++)
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a[k * 32 + item()], b[k * 32 + item()], c);
  out[place()] = c;
}
kernel void wave_matrix_sparse(global v8f *out, const global v8h *a, const global v16h *b, const global short *index) {
  v8f c = out[place()];
  c = __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(a[place()], b[place()], c, index[place()]);
  c = __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(a[0], b[0], c, index[0]);
  out[place()] = c;
}
kernel void wave_matrix_eight(global v8f *out, const global v2i *a) {
  v8f c = out[place()];
  c = __builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w32_gfx12(a[place()], a[place() + 1], c);
  out[place()] = c + 2;
}
