"""Texts of assembly that stand for something else, each with a map between its places and the original's."""
