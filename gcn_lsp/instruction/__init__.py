"""One statement on one target: the form that takes it, its operands, constraints and bytes, and why none does."""
