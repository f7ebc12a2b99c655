"""What registers hold along the paths: liveness, pressure, definitions, known values."""
