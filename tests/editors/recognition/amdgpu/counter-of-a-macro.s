    s_wait_for lgkmcnt (0)
