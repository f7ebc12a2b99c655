"""How findings are printed: one module for each format, each with `render(reports) -> str`."""
