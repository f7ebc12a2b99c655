"""The values of operands: inline constants, formats, named registers and messages, and the bits that they become."""
