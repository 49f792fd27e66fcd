"""Which stores a test runs on, where both run the same statements."""

import pytest

POSTGRESQL_IN_CAMPAIGN = pytest.mark.parametrize(
    "database_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.campaign)], indirect=True
)
"""SQLite in every run, PostgreSQL in the campaign: what is slow and asks the stores for nothing special."""
