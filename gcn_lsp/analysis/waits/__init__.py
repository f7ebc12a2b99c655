"""The operations in flight at every instruction, and waits that are missing, too weak or not needed."""
