"""The tools for coding agents: `gcn-lsp mcp` serves them by the Model Context Protocol over standard input and output.

`tools` has a row for each, a function from its arguments to its answer; `server` is the only module that imports the
SDK. Nothing is written, and no program runs.
"""
