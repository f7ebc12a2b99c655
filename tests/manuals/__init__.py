"""Holds the tables and the documentation of instructions against AMD's manuals of the instruction sets, as Markdown.

The manuals are not part of this project. `python -m tests.manuals FOLDER` reads `FOLDER/<manual>/README.md`, as the
public repository kuhar/amdgpu-isa-manuals has them.
"""
