// Kernels in which a lost wait, wait state, barrier or bounds check has to show: every one has a reference in Python.
#define GROUP (__builtin_amdgcn_workgroup_id_x())
#define ITEM (__builtin_amdgcn_workitem_id_x())
#define BARRIER()                                    \
  do {                                               \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                    \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)
#define INDEX (GROUP * 128 + ITEM)
typedef float float4_ __attribute__((ext_vector_type(4)));

kernel void scale(global const float *x, global const float *b, global float *y, float a, int n) {
  int i = INDEX;
  if (i < n) y[i] = a * x[i] + b[i];
}

kernel void gather(global const int *index, global const float *x, global float *y, int n) {
  int i = INDEX;
  if (i < n) y[i] = x[index[i]] - x[index[index[i]]];
}

kernel void wide(global const float4_ *x, global float4_ *y, int n) {
  int i = INDEX;
  if (i < n) y[i] = x[i].wzyx * 2.0f + x[(i + 1) % n];
}

kernel void several(global const float *x, global float *y, int n) {
  int i = INDEX;
  if (i >= n) return;
  float a = x[i], b = x[(i + 7) % n], c = x[(i + 77) % n], d = x[(i + 30) % n];
  y[i] = ((a * 2.0f + b) * 2.0f + c) * 2.0f + d;
}

kernel void loop(global const double *x, global double *y, int n, int k) {
  int i = INDEX;
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < k; j++) sum += x[i * k + j] * (j + 1);
  y[i] = sum;
}

kernel void divide(global const float *x, global const double *z, global float *y, global double *w, int n) {
  int i = INDEX;
  if (i >= n) return;
  y[i] = x[i] / x[n - 1 - i];
  w[i] = z[i] / z[n - 1 - i];
}

kernel void whole(global const int *x, global int *y, int n) {
  int i = INDEX;
  if (i < n) y[i] = x[i] / x[n - 1 - i] + x[i] % 7;
}

kernel void stencil(global const float *x, global float *y, int n) {
  local float tile[130];
  int i = INDEX, l = ITEM;
  tile[l + 1] = i < n ? x[i] : 0.0f;
  if (l == 0) tile[0] = i > 0 ? x[i - 1] : 0.0f;
  if (l == 127) tile[129] = i + 1 < n ? x[i + 1] : 0.0f;
  BARRIER();
  if (i < n) y[i] = tile[l] + 2.0f * tile[l + 1] + tile[l + 2];
}

kernel void reversed(global const int *x, global int *y, int n) {
  local int tile[128];
  int i = INDEX, l = ITEM;
  tile[l] = i < n ? x[i] : 0;
  BARRIER();
  int other = tile[127 - l];
  BARRIER();
  tile[l] = other * 3;
  BARRIER();
  if (i < n) y[i] = tile[l ^ 65] + other;
}

kernel void scan(global const int *x, global int *y, int n) {
  local int tile[128];
  int i = INDEX, l = ITEM;
  int sum = i < n ? x[i] : 0;
  for (int d = 1; d < 128; d <<= 1) {
    tile[l] = sum;
    BARRIER();
    if (l >= d) sum += tile[l - d];
    BARRIER();
  }
  if (i < n) y[i] = sum;
}

#ifndef __gfx700__  // which cannot move values between lanes through LDS
kernel void exchange(global const int *x, global int *y, int n) {
  int i = INDEX;
  int v = i < n ? x[i] : 0;
  int other = __builtin_amdgcn_ds_bpermute(((ITEM & 31) ^ 5 | (ITEM & 32)) * 4, v);
  int first = __builtin_amdgcn_readfirstlane(v);
  if (i < n) y[i] = other * 2 + first + __builtin_amdgcn_readlane(v, 3);
}
#endif

kernel void scalars(global const int *x, global int *y, constant int *table, int n) {
  int i = INDEX;
  int a = table[GROUP], b = table[a & 7];
  if (i < n) y[i] = x[i] * a + b;
}

kernel void swapped(global int *x, int n) {
  int i = INDEX;
  if (2 * i + 1 < n) {
    int a = x[2 * i], b = x[2 * i + 1];
    x[2 * i] = b;
    x[2 * i + 1] = a + b;
  }
}

kernel void histogram(global const int *x, global int *bins, int n) {
  local int own[32];
  int i = INDEX, l = ITEM;
  if (l < 32) own[l] = 0;
  BARRIER();
  if (i < n) __scoped_atomic_fetch_add(&own[x[i] & 31], x[i], __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  BARRIER();
  if (l < 32) __scoped_atomic_fetch_add(&bins[l], own[l], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
