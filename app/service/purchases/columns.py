"""Find out by its name what each column of a purchase file holds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.service.table_files.columns import find_left_out, find_positions, match_fields
from app.service.tables.table import UnreadableTable

# The first name is ours; the others are those of order systems, exports and open data for the same thing.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "row_id": ("line_id", "purchase_id", "transaction_id", "uuid"),
    "purchase_date": (
        "date",
        "order_date",
        "po_date",
        "ordered_on",
        "invoice_date",
        "purchased_on",
        "transaction_date",
    ),
    "supplier": (
        "supplier_name",
        "vendor",
        "vendor_name",
        "seller",
        "manufacturer_name",
        "lieferant",
        "contractor",
    ),
    "product": (
        "product_name",
        "item",
        "item_name",
        "article",
        "item_description",
        "product_description",
        "title",
    ),
    "product_key": (
        "sku",
        "part_number",
        "mpn",
        "item_number",
        "item_id",
        "product_id",
        "product_code",
        "article_number",
    ),
    "product_family": ("family", "product_line", "product_group"),
    "brand": ("brand_name", "make"),
    "category": ("category_name", "commodity", "product_category"),
    "quantity": ("qty", "count", "units", "number_of_units", "amount_ordered", "menge"),
    "unit": ("uom", "unit_of_measure", "unit_of_issue", "einheit"),
    "unit_price": ("price", "price_per_unit", "unit_cost", "net_price", "unit_price_net", "einzelpreis"),
    "total_price": (
        "total",
        "amount",
        "line_total",
        "line_amount",
        "extended_price",
        "total_amount",
        "net_amount",
    ),
    "currency": ("currency_code", "ccy", "waehrung"),
    "term_months": ("term", "term_length", "months", "contract_months", "term_in_months"),
    "price_period": ("period", "billing_period", "price_per", "per"),
    "purchase_type": ("transaction_type", "new_or_renewal"),
    "list_price": ("list_unit_price", "catalog_price", "msrp", "rrp"),
    "description": ("details", "long_description", "comment", "notes"),
    "buyer": ("customer", "agency", "buyer_name", "purchaser"),
    "order_id": ("order_number", "po_number", "purchase_order", "order", "contract_id", "contract_number"),
}
REQUIRED_FIELDS = ("purchase_date", "supplier", "product")
PRICE_FIELDS = ("unit_price", "total_price")


@dataclass(frozen=True, slots=True)
class PurchaseColumns:
    """The positions of our fields in a row, and of the columns that become attributes."""

    fields: dict[str, int]
    attributes: dict[str, int]
    width: int


def resolve_columns(
    header: Sequence[str],
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    *,
    prices_needed: bool = True,
) -> PurchaseColumns:
    """Find what each column of `header` means, as `match_columns` does. Raises `UnreadableTable` also where a
    needed column is missing."""
    columns = match_columns(header, mapping, ignore)
    if missing := find_missing_fields(columns.fields, prices_needed=prices_needed):
        raise UnreadableTable(
            f"no column for {', '.join(missing)}; name it with --map NEW=OLD. "
            f"The file has {', '.join(header[:30])}"
        )
    return columns


def find_missing_fields(fields: Collection[str], *, prices_needed: bool = True) -> list[str]:
    """Return the needed fields that are not among those that have a column."""
    missing = [field for field in REQUIRED_FIELDS if field not in fields]
    if prices_needed and not any(field in fields for field in PRICE_FIELDS):
        missing.append("unit_price")
    return missing


def match_columns(
    header: Sequence[str], mapping: Mapping[str, str] | None = None, ignore: Sequence[str] = ()
) -> PurchaseColumns:
    """Find what each column of `header` means, as far as that is known.

    `mapping` is our name -> the file's name, or "" for none, and takes precedence over every synonym;
    `ignore` names columns to leave out. Raises `UnreadableTable` where a column is named twice, or where
    `mapping` or `ignore` name a column that the file does not have.
    """
    positions = find_positions(header)
    left_out = find_left_out(positions, ignore)
    fields = match_fields(positions, SYNONYMS, mapping or {}, left_out, of="a purchase")
    taken = {*fields.values(), *left_out}
    attributes = {name: position for name, position in positions.items() if position not in taken}
    return PurchaseColumns(fields, attributes, len(header))
