"""The generated tables under `isa/data`: their columns and sets of features, how they are read, and other names."""
