"""One visual idea each: contract models in, the user's choice out. They fetch nothing."""
