"""Words for imports: what a file holds, how far it is, and what its columns are."""

from collections.abc import Mapping

KIND_LABELS: Mapping[str, str] = {"purchases": "Purchases"}
STATUS_LABELS: Mapping[str, str] = {
    "checking": "being checked",
    "incomplete": "needs columns",
    "ready": "ready to import",
    "importing": "being imported",
    "completed": "imported",
    "undoing": "being taken back",
    "undone": "undone",
    "cancelled": "cancelled",
    "failed": "failed",
}
DIMENSION, LEFT_OUT = "Pricing dimension", "Leave out"
"""What a column may become that holds no field."""


def describe_kind(kind: str | None) -> str | None:
    """Return what a file holds, in words; None while nobody knows."""
    return None if kind is None else KIND_LABELS.get(kind, kind)


def describe_field(field: str) -> str:
    """Return `Purchase date` for `purchase_date`."""
    return field.replace("_", " ").capitalize()
