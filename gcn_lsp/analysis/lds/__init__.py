"""What a work-group writes to LDS and reads from it: addresses of all lanes, the protocol of barriers, and banks."""
