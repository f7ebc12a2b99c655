// Instructions that need wait states after another one, with just as many: LLVM adds none to assembly in a source.
#define ITEM (__builtin_amdgcn_workitem_id_x())
#define INDEX (__builtin_amdgcn_workgroup_id_x() * 128 + ITEM)

// A VALU instruction reads the lane to be read from an SGPR that another has just written.
kernel void lane_select(global const int *x, global int *y, int n) {
  int v = x[INDEX], r;
  __asm volatile("s_mov_b32 s20, 0\n\tv_readfirstlane_b32 s20, %1\n\ts_nop 3\n\tv_readlane_b32 s21, %2, s20\n\t"
                 "s_mov_b32 s22, s21\n\tv_mov_b32_e32 %0, s22" : "=v"(r) : "v"(5), "v"(v) : "s20", "s21", "s22");
  y[INDEX] = r;
}

kernel void lane_written(global const int *x, global int *y, int n) {
  int v = x[INDEX];
  __asm volatile("s_mov_b32 s20, 0\n\tv_readfirstlane_b32 s20, %1\n\ts_nop 3\n\tv_writelane_b32 %0, 7, s20"
                 : "+v"(v) : "v"(9) : "s20");
  y[INDEX] = v;
}

// Division reads VCC, which a comparison has written.
kernel void div_fmas(global const float *x, global float *y, int n) {
  float v = x[INDEX], r;
  __asm volatile("s_mov_b64 vcc, 0\n\tv_cmp_gt_u32_e32 vcc, 32, %1\n\ts_nop 3\n\tv_div_fmas_f32 %0, %2, %3, %2"
                 : "=v"(r) : "v"(ITEM & 63), "v"(v), "v"(2.0f) : "vcc");
  y[INDEX] = r;
}

kernel void div_fmas_double(global const double *x, global double *y, int n) {
  double v = x[INDEX], r;
  __asm volatile("s_mov_b64 vcc, 0\n\tv_cmp_gt_u32_e32 vcc, 32, %1\n\ts_nop 3\n\tv_div_fmas_f64 %0, %2, %3, %2"
                 : "=v"(r) : "v"(ITEM & 63), "v"(v), "v"(2.0) : "vcc");
  y[INDEX] = r;
}

#if !defined(__gfx700__)
// An access to memory reads SGPRs that the VALU has written.
kernel void buffer_base(global const int *x, global int *y, int n) {
  int r, low = (int)(ulong)x, high = (int)((ulong)x >> 32);
  __asm volatile("s_mov_b32 s20, %1\n\ts_mov_b32 s21, %2\n\ts_mov_b32 s22, -1\n\ts_mov_b32 s23, 0x27000\n\t"
                 "s_add_u32 s20, s20, 4\n\ts_addc_u32 s21, s21, 0\n\tv_readfirstlane_b32 s20, %3\n\t"
                 "s_nop 4\n\tbuffer_load_dword %0, %4, s[20:23], 0 offen\n\ts_waitcnt vmcnt(0)"
                 : "=v"(r) : "s"(low), "s"(high), "v"(low), "v"(4 * INDEX) : "s20", "s21", "s22", "s23", "scc", "memory");
  y[INDEX] = r;
}

kernel void buffer_offset(global const int *x, global int *y, int n) {
  int r, low = (int)(ulong)x, high = (int)((ulong)x >> 32);
  __asm volatile("s_mov_b32 s20, %1\n\ts_mov_b32 s21, %2\n\ts_mov_b32 s22, -1\n\ts_mov_b32 s23, 0x27000\n\t"
                 "s_mov_b32 s24, 0\n\tv_readfirstlane_b32 s24, %3\n\t"
                 "s_nop 4\n\tbuffer_load_dword %0, %4, s[20:23], s24 offen\n\ts_waitcnt vmcnt(0)"
                 : "=v"(r) : "s"(low), "s"(high), "v"(8), "v"(4 * (INDEX & 127))
                 : "s20", "s21", "s22", "s23", "s24", "memory");
  y[INDEX] = r;
}

// DPP reads a VGPR of other lanes that was just written.
kernel void neighbours(global const int *x, global int *y, int n) {
  int v = x[INDEX], r;
  __asm volatile("v_mov_b32_e32 %0, 0\n\tv_xor_b32_e32 %0, 5, %1\n\ts_nop 1\n\t"
                 "v_mov_b32_dpp %0, %0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf" : "=&v"(r) : "v"(v));
  y[INDEX] = r;
}

kernel void rows(global const int *x, global int *y, int n) {
  int v = x[INDEX], r;
  __asm volatile("v_mov_b32_e32 %0, 0\n\tv_xor_b32_e32 %0, 3, %1\n\ts_nop 1\n\t"
                 "v_add_u16_dpp %0, %0, %1 row_mirror row_mask:0xf bank_mask:0xf" : "=&v"(r) : "v"(v));
  y[INDEX] = r;
}
#endif
