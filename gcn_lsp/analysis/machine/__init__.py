"""What one instruction does to registers, counters and memory."""
