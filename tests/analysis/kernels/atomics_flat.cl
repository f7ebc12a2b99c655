// targets: * !gfx600
// Atomics and accesses through generic pointers: flat instructions, which count twice and out of order.
#include "kernels.h"
#define RELAXED __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE
static NOINLINE uint bump(atomic_uint *where, uint by) { return __opencl_atomic_fetch_add(where, by, RELAXED); }
kernel void either(global uint *out, global atomic_uint *far, uint which) {
  local atomic_uint near;
  if (item() == 0) __opencl_atomic_store(&near, 0u, RELAXED);
  group_barrier();
  atomic_uint *p = which & 1 ? (atomic_uint *)far : (atomic_uint *)&near;
  out[place()] = bump(p, which);
}
kernel void flat_copy(global uint *out, const global uint *in, uint which) {
  local uint near[256];
  uint t = item();
  near[t] = in[t];
  group_barrier();
  const uint *p = which > t ? (const uint *)in : (const uint *)near;
  uint a = p[t], b = p[t ^ 1];
  uint *q = which > 2 * t ? (uint *)out : (uint *)near;
  q[t] = a * b;
  group_barrier();
  out[t + 256] = near[t ^ 5] + in[t + 512];
}
