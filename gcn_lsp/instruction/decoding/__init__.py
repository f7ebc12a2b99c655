"""Bytes to instructions: the reverse of encoding, from the same tables, with LLVM's text."""
