"""What is spent by agreements."""
