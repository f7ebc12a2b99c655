// What the kernels here share: the work item's place, barriers that order memory, and the pragmas of half and double.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define NOINLINE __attribute__((noinline))

static inline uint item(void) { return __builtin_amdgcn_workitem_id_x(); }
static inline uint group(void) { return __builtin_amdgcn_workgroup_id_x(); }
static inline uint place(void) { return group() * 256 + item(); }

static inline void group_barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
