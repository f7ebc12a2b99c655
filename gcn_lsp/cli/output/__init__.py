"""Prints findings: one module for each format, each with `render(reports) -> str`."""
