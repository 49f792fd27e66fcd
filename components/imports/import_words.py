"""Words for imports: what a file holds, how far it is, and what its columns are."""

from collections.abc import Mapping, Sequence

KIND_LABELS: Mapping[str, str] = {
    "purchases": "Purchases",
    "catalog": "Suppliers and products",
    "rates": "Exchange rates",
}
ROW_NOUNS: Mapping[str, str] = {"rates": "rate"}
"""What is counted of a file, where it is not its rows."""
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
FIELD_LABELS: Mapping[str, str] = {"name": "Supplier name", "url": "Web address"}
DIMENSION, CURRENCY, LEFT_OUT = "Pricing dimension", "Rates of this currency", "Leave out"
"""What a column may become that holds no field."""


def describe_kind(kind: str | None) -> str | None:
    """Return what a file holds, in words; None while nobody knows."""
    return None if kind is None else KIND_LABELS.get(kind, kind)


def name_row(kind: str | None) -> str:
    """Return the noun for what is counted of such a file."""
    return ROW_NOUNS.get(kind or "", "row")


def describe_field(field: str) -> str:
    """Return `Purchase date` for `purchase_date`."""
    return FIELD_LABELS.get(field) or field.replace("_", " ").capitalize()


def list_fields(fields: Sequence[str]) -> str:
    """Return `**Supplier**, **Product**`."""
    return ", ".join(f"**{describe_field(field)}**" for field in fields)
