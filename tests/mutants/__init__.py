"""Changes conditions of the package at random and lists those that its tests do not notice."""
