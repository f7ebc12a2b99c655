	.include "tile_gfx942.inc"
