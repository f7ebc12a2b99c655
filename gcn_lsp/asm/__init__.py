"""Matching statements to instruction forms, encoding, layout, and the `Program` snapshot."""
