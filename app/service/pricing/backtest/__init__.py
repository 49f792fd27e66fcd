"""Measures estimates and verdicts on past purchases whose price is known."""
