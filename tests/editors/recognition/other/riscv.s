    .option nopic
main:
    addi sp, sp, -16  # frame
    lui  a0, %hi(message)
