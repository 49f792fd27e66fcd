"""Ids that we make: UUID version 7, so that they sort by time."""

import uuid_utils


def new_id() -> str:
    """A new id as lower-case text."""
    return str(uuid_utils.uuid7())
