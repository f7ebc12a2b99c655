"""The modifiers after the operands (`glc`, `offset:16`, `op_sel:[0,1]`): words, values, ranges, targets."""
