"""The debugger: kernels step by step over the Debug Adapter Protocol, with waves as threads. Start at `adapter`."""
