// A reduction and a matrix product in tiles, with the machine's own builtins: no library is needed.
#define GROUP(d) (__builtin_amdgcn_workgroup_id_##d())
#define ITEM(d) (__builtin_amdgcn_workitem_id_##d())
#define BARRIER()                                    \
  do {                                               \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                    \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)

kernel void reduce(global const float *x, global float *out, int n) {
  local float tile[256];
  int l = ITEM(x), i = GROUP(x) * 256 + l;
  tile[l] = i < n ? x[i] : 0.0f;
  BARRIER();
  for (int s = 128; s > 0; s >>= 1) {
    if (l < s) tile[l] += tile[l + s];
    BARRIER();
  }
  if (l == 0) out[GROUP(x)] = tile[0];
}

kernel void gemm(global const float *a, global const float *b, global float *c, int n) {
  local float ta[16][16], tb[16][16];
  int x = ITEM(x), y = ITEM(y), column = GROUP(x) * 16 + x, row = GROUP(y) * 16 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    ta[y][x] = a[row * n + k + x];
    tb[y][x] = b[(k + y) * n + column];
    BARRIER();
    for (int j = 0; j < 16; j++) sum = __builtin_fmaf(ta[y][j], tb[j][x], sum);
    BARRIER();
  }
  c[row * n + column] = sum;
}

kernel void count(global const int *x, global int *bins, int n) {
  local int own[16];
  int l = ITEM(x);
  if (l < 16) own[l] = 0;
  BARRIER();
  int i = GROUP(x) * 64 + l;
  if (i < n) __scoped_atomic_fetch_add(&own[x[i] & 15], 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  BARRIER();
  if (l < 16) __scoped_atomic_fetch_add(&bins[l], own[l], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
