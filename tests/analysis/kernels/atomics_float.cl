// targets: * !gfx700
// Floating-point atomics: native ones where the target has them, else loops of compare and swap.
#include "kernels.h"
#define RELAXED __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE
kernel void add_f32(global float *sum, const global float *in) {
  __opencl_atomic_fetch_add((global atomic_float *)sum, in[place()], RELAXED);
}
kernel void add_f32_used(global float *out, global float *sum, const global float *in) {
  uint i = place();
  out[i] = __opencl_atomic_fetch_add((global atomic_float *)sum + (i & 15), in[i], RELAXED) * 2;
}
kernel void min_f64(global double *low, const global double *in) {
  __opencl_atomic_fetch_min((global atomic_double *)low, in[place()], RELAXED);
}
