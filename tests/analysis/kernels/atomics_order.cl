// Atomics of every order and scope: waits and cache instructions that order memory and serve no register.
#include "kernels.h"
kernel void publish(global uint *data, global atomic_uint *flag) {
  uint i = place();
  data[i] = i * 3;
  __opencl_atomic_store(flag + group(), 1u, __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_DEVICE);
}
kernel void consume(global uint *out, const global uint *data, global atomic_uint *flag) {
  uint i = place();
  while (!__opencl_atomic_load(flag + group(), __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE))
    __builtin_amdgcn_s_sleep(1);
  out[i] = data[i];
}
kernel void total_order(global uint *out, global atomic_uint *a, global atomic_uint *b) {
  uint i = place();
  __opencl_atomic_store(a, i, __ATOMIC_SEQ_CST, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
  out[i] = __opencl_atomic_load(b, __ATOMIC_SEQ_CST, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
  out[i + 256] = __opencl_atomic_fetch_add(a, 1u, __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_WORK_GROUP);
  __opencl_atomic_fetch_or(b, 2u, __ATOMIC_SEQ_CST, __OPENCL_MEMORY_SCOPE_DEVICE);
}
kernel void sub_group_order(global uint *out, global atomic_uint *a) {
  uint i = place();
  out[i] = __opencl_atomic_fetch_xor(a + i, 5u, __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_SUB_GROUP);
}
