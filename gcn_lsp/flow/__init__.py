"""Fixed points over graphs: knows nodes and states, and nothing of what they stand for."""
