"""A language server, linter and assembler-grade checker for AMD GPU assembly."""
