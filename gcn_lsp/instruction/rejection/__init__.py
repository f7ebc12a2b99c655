"""Why no form takes a statement: the most useful finding, the nearest legal line, and the targets that accept it."""
