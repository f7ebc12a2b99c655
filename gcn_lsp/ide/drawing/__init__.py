"""Draws a kernel's control flow: one module for each format, each with `render(flow) -> str`."""
