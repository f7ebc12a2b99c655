"""The command line: one module for each command, one for each output format in `output`."""
