.data
table:
  .long 1, 2, 3
