// One tile of 16 x 16 by the matrix instruction: D = A * B, with A of 16 x 4 k and B of 4 k x 16.
typedef float float4_ __attribute__((ext_vector_type(4)));

kernel void tile(global const float *a, global const float *b, global float *d, int k) {
  int lane = __builtin_amdgcn_workitem_id_x(), row = lane & 15, part = lane >> 4;
  float4_ sum = {0, 0, 0, 0};
  for (int i = 0; i < k; i += 4)
    sum = __builtin_amdgcn_mfma_f32_16x16x4f32(a[row * k + i + part], b[(i + part) * 16 + row], sum, 0, 0, 0);
  for (int j = 0; j < 4; j++) d[(4 * part + j) * 16 + row] = sum[j];
}
