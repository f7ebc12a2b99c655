// Everything is in the files for one target.
.include "conv_gfx9_fp16.inc"
EPILOG
