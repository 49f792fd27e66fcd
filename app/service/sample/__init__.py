"""The generator of the sample data."""

from app.service.sample.seeding import ensure_sample

__all__ = ["ensure_sample"]
