"""A language server, linter and assembler-grade checker for AMD GPU assembly."""

__version__ = "0.1.0"
