"""Memory: resource descriptors, the order of accesses, and what releases and acquires take."""
