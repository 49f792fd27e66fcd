"""The catalog entry for a line of a quote that matches no product, and the company that sells it."""

from pydantic import ValidationError

from app.contract.catalog import EntryDimension, EntryProduct, EntrySupplier, NewCatalogEntry
from app.contract.scope import ProposedEntry, ReadSupplier


def make_catalog_entry(seller: EntrySupplier | None, proposed: ProposedEntry) -> NewCatalogEntry | None:
    """Return the entry to add; None without a seller or a name, or where a text is too long."""
    if seller is None or not proposed.name.strip():
        return None
    options = {one.name: one.option.strip() for one in proposed.dimensions if one.option.strip()}
    try:
        product = EntryProduct(
            name=proposed.name.strip(),
            unit=(proposed.unit or "").strip() or None,
            dimensions=[
                EntryDimension(name=name, type="select", options=[option]) for name, option in options.items()
            ]
            or None,
        )
        return NewCatalogEntry(supplier=seller, product=product)
    except ValidationError:
        return None


def get_seller(supplier: ReadSupplier | None) -> tuple[EntrySupplier | None, str]:
    """Return the company that the document is from, on record or new, and its name."""
    name = (supplier.company_name or supplier.name or "").strip() if supplier else ""
    if supplier and supplier.company_id:
        return EntrySupplier(company_id=supplier.company_id), name
    try:
        return (EntrySupplier(name=name), name) if name else (None, "")
    except ValidationError:
        return None, name
