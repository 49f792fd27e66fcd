"""Reads purchase documents: bytes in, an `Extraction` out. No database, no network."""
