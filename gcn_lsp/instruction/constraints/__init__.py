"""The constraints that span the operands of an instruction, one module for each subject."""
