"""Fixed points over graphs, interned states and kept results: knows nodes and states, but no instructions."""
