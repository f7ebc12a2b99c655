// A tile of a matrix product through LDS: a loop with two barriers, wide reads, and global loads ahead of their use.
#include "kernels.h"
kernel void matrix_tile(global float *c, const global float *a, const global float *b, int n) {
  local float at[16][17], bt[16][17];
  uint x = item() & 15, y = item() >> 4;
  uint row = group() * 16 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    at[y][x] = a[row * n + k + x];
    bt[y][x] = b[(k + y) * n + x];
    group_barrier();
#pragma unroll
    for (int j = 0; j < 16; j++) sum += at[y][j] * bt[j][x];
    group_barrier();
  }
  c[row * n + x] = sum;
}
