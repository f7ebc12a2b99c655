#include <linux/linkage.h>
ENTRY(memcpy)
	ldp	x1, x2, [x0, #16]
	bl	copy	// gfx is not meant here
	ret
