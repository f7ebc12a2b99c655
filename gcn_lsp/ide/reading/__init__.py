"""Finds what is at a place of the text: the statement and operand under a cursor, names, scopes and registers."""
