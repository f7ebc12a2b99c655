"""How a kernel's control flow is drawn: one module for each format, each with `render(flow) -> str`."""
