; my_gfx900x and notgfx900 are names
  movl $gfx900_table, %eax
