"""What an instruction must keep to beyond each operand for itself, a module a subject."""
