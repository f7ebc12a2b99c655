"""The operations in flight at every instruction, and the waits that are missing, too weak or not needed."""
