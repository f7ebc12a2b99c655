"""How fast it is: `python -m tests.benchmarks.protocol` for the budgets, `pytest tests/benchmarks` for the parts."""
