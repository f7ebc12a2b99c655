// Atomics on global memory whose results are used, and whose are not.
#include "kernels.h"
#define RELAXED __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE
kernel void counts(global atomic_uint *bins, const global uint *in) {
  uint v = in[place()];
  __opencl_atomic_fetch_add(bins + (v & 255), 1u, RELAXED);
  __opencl_atomic_fetch_max(bins + 256, v, RELAXED);
}
kernel void tickets(global uint *out, global atomic_uint *next, global atomic_ulong *total) {
  uint i = place();
  uint mine = __opencl_atomic_fetch_add(next + (i & 7), i, RELAXED);
  ulong sum = __opencl_atomic_fetch_add(total + (i & 3), (ulong)mine, RELAXED);
  out[i] = mine + (uint)sum;
}
kernel void exchanges(global uint *out, global atomic_uint *a) {
  uint i = place();
  uint expected = i;
  __opencl_atomic_compare_exchange_strong(a + i, &expected, i + 1, __ATOMIC_RELAXED, RELAXED);
  out[i] = expected + __opencl_atomic_exchange(a + 4096, i, RELAXED);
}
