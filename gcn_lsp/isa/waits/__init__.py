"""Wait counters: their fields, the instructions that raise them, and the instructions that wait."""
