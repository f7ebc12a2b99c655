"""What a finding and a rule are, how rules run, and what several rules or rules and features share."""
