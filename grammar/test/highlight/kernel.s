// A kernel's worth of everything that has a colour.
// <- comment

.include "common.inc"
// <- keyword.import
//       ^ string

.set v_acc, 4
// <- keyword.directive
//   ^ constant
//        ^ punctuation.delimiter
//          ^ number

.macro load dst:req, base, count=2
// <- keyword.function
//     ^ function.macro
//          ^ variable.parameter
//              ^ attribute
  s_load_dwordx\count s[\dst:\dst+1], s[\base:\base+1], 0x10
//^ function
//             ^ variable.parameter
//                    ^ variable.builtin
//                      ^ variable.parameter
//                               ^ operator
//                                                      ^ number
.endm
// <- keyword.function

kernel:
// <- label
  v_add_f32 v[v_acc], -v1, |v2| clamp
//^ function
//          ^ variable.builtin
//            ^ variable
//                    ^ operator
//                     ^ variable.builtin
//                         ^ punctuation.bracket
  s_waitcnt vmcnt(0) & lgkmcnt(0)
//          ^ function.builtin
//                   ^ operator
  v_mov_b32_sdwa v0, 1.0 dst_sel:BYTE_0
//                   ^ number.float
//                       ^ attribute
//                               ^ constant
.if v_acc > 3
// <- keyword.conditional
  s_cbranch_scc0 1b
//               ^ label
.else
// <- keyword.conditional
.endif
// <- keyword.conditional
.rept 2
// <- keyword.repeat
.endr
// <- keyword.repeat
.asciz "a\n"
//     ^ string
//       ^ string.escape
