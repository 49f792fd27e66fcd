"""Words for what the contract of sourcing names, the same in documents and on pages."""

PERIODS = {"month": "a month", "year": "a year", "term": "for the term", "once": "once"}
"""How often a price is paid, by `recurring`."""
