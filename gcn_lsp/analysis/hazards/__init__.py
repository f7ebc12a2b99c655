"""The wait states that hazard rows require between instructions."""
