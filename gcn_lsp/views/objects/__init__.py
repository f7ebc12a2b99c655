"""Code objects: ELF files for AMD GPUs and what they come in, as text that assembles to the same bytes."""
