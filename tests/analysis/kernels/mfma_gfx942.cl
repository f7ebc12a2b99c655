// targets: gfx942 gfx950
// Matrix instructions of gfx942: eight-bit floats, wide bytes, sparse ones with an index register.
#include "kernels.h"
typedef float v4f __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
typedef int v4i __attribute__((ext_vector_type(4)));
typedef int v2i __attribute__((ext_vector_type(2)));
typedef half v4h __attribute__((ext_vector_type(4)));
typedef half v8h __attribute__((ext_vector_type(8)));
kernel void eight_bits(global v4f *out, const global long *a, const global long *b) {
  v4f c = out[place()];
  c = __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(a[place()], b[place()], c, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f32_16x16x32_bf8_bf8(b[place()], a[place()], c, 0, 0, 0);
  out[place()] = c * 2;
}
kernel void wide_bytes(global v4i *out, const global long *a) {
  v4i c = out[place()];
  c = __builtin_amdgcn_mfma_i32_16x16x32_i8(a[place()], a[0], c, 0, 0, 0);
  out[place()] = c + 1;
}
kernel void sparse(global v4f *out, global v16f *more, const global v4h *a, const global v8h *b, const global int *index) {
  v4f c = out[place()];
  v16f d = more[place()];
  int i = index[place()];
  c = __builtin_amdgcn_smfmac_f32_16x16x32_f16(a[place()], b[place()], c, i, 0, 0);
  d = __builtin_amdgcn_smfmac_f32_32x32x16_f16(a[place()], b[place()], d, i + 1, 0, 0);
  c = __builtin_amdgcn_smfmac_f32_16x16x32_f16(a[place()], b[place()], c, i, 0, 0);
  out[place()] = c;
  more[place()] = d * c.x;
}
