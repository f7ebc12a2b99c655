"""Explains rejected statements: the most useful problem, the nearest legal line, the targets that accept it."""
