; Only macro calls here, for gfx906.
KERNEL_PROLOG conv
KERNEL_EPILOG conv
