"""Where control goes: segments, the control flow graph, jumps, and the paths that exist."""
