"""The parts of C that several views read: tokens, literals, expressions, macros."""
