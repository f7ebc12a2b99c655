// Atomics on LDS: a histogram in the work group, flushed at the end.
#include "kernels.h"
#define RELAXED __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP
kernel void histogram(global atomic_uint *out, const global uchar4 *in) {
  local atomic_uint bins[256];
  uint t = item();
  __opencl_atomic_store(bins + t, 0u, RELAXED);
  group_barrier();
  uchar4 v = in[place()];
  __opencl_atomic_fetch_add(bins + v.x, 1u, RELAXED);
  __opencl_atomic_fetch_add(bins + v.y, 1u, RELAXED);
  __opencl_atomic_fetch_add(bins + v.z, 1u, RELAXED);
  __opencl_atomic_fetch_add(bins + v.w, 1u, RELAXED);
  group_barrier();
  uint n = __opencl_atomic_load(bins + t, RELAXED);
  if (n) __opencl_atomic_fetch_add(out + t, n, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
}
kernel void slots(global uint *out, const global uint *in) {
  local atomic_uint next, top;
  if (item() == 0) {
    __opencl_atomic_store(&next, 0u, RELAXED);
    __opencl_atomic_store(&top, 0u, RELAXED);
  }
  group_barrier();
  uint slot = __opencl_atomic_fetch_add(&next, 1u, RELAXED);
  uint v = in[slot];
  uint before = __opencl_atomic_fetch_max(&top, v, RELAXED);
  uint expected = before;
  __opencl_atomic_compare_exchange_strong(&top, &expected, v + 1, __ATOMIC_RELAXED, RELAXED);
  out[slot] = v + before + expected;
}
