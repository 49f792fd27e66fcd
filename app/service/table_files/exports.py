"""The exports of other systems, and our own, that a table is recognised as by its headings. Pure.

Every heading of `headings` has to be there, and none of `foreign`: a table whose headings are only nearly
those of an export is none, and its columns are matched by their names like those of any other.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from app.contract.imports import ExportName, ImportKind, NumberFormat
from app.service.table_files.heading_words import list_names
from app.service.tables.headings import fold_column_name


@dataclass(frozen=True)
class Export:
    """What is known of an export. Headings are folded (`fold_column_name`). `columns` leads from a field of
    the kind to its headings, of which the first that is there counts; all other columns are left out.
    `constants` are values that every row has, `number_format` is how each file of it writes numbers. Without
    a kind nothing is imported, and `refusal` says why."""

    name: ExportName
    headings: Collection[str]
    kind: ImportKind | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    foreign: Collection[str] = ()
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    refusal: str = ""
    number_format: NumberFormat | None = None


COUPA = Export(
    "coupa_order_lines",
    ("order_header_id", "line_number", "description", "price", "quantity", "total", "currency"),
    "purchases",
    {
        "purchase_date": ("order_date", "created_at", "created_date"),
        "supplier": ("supplier", "supplier_name"),
        "product": ("description",),
        "product_key": ("source_part_num", "item_number"),
        "category": ("commodity", "commodity_name"),
        "quantity": ("quantity",),
        "unit": ("uom", "uom_code", "unit_of_measure"),
        "unit_price": ("price",),
        "total_price": ("total",),
        "currency": ("currency",),
        "order_id": ("order_header_id",),
    },
)
XERO = Export(
    "xero_bills",
    ("contactname", "invoicenumber", "invoicedate", "description", "quantity", "unitamount", "currency"),
    "purchases",
    {
        "purchase_date": ("invoicedate",),
        "supplier": ("contactname",),
        "product": ("description",),
        "product_key": ("inventoryitemcode",),
        "quantity": ("quantity",),
        "unit_price": ("unitamount",),
        "currency": ("currency",),
        "order_id": ("invoicenumber",),
    },
    # What the organisation has sold: its invoices to customers have the same headings, and these.
    foreign=("reference", "discount", "brandingtheme"),
)
QUICKBOOKS = Export(
    "quickbooks_general_ledger",
    ("date", "transaction_type", "num", "name", "memo_description", "split", "amount", "balance"),
    refusal="this is the general ledger of QuickBooks: it lists payments, which say neither what a unit costs"
    " nor until when anything was agreed, so nothing of it is imported. Bills, order lines and agreements"
    " are",
)
MICROSOFT = Export(
    "microsoft_365_licences",
    ("product_title", "total_licenses", "expired_licenses", "assigned_licenses"),
    "agreements",
    {
        "product": ("product_title",),
        "quantity": ("total_licenses",),
        "renewal_date": ("renewal_date",),
    },
    constants={"supplier": "Microsoft", "unit": "licence"},
)
FOCUS = Export(
    "focus_contract_commitments",
    (
        "contractcommitmentid",
        "contractcommitmentperiodstart",
        "contractcommitmentperiodend",
        "contractid",
        "billingcurrency",
    ),
    "agreements",
    {
        "reference": ("contractcommitmentid",),
        "name": ("contractcommitmentdescription",),
        "supplier": ("invoiceissuername", "serviceprovidername", "providername"),
        "currency": ("billingcurrency",),
        "term_start": ("contractcommitmentperiodstart",),
        "day_after_end": ("contractcommitmentperiodend",),
        "committed_spend": ("contractcommitmentcost",),
        "quantity": ("contractcommitmentquantity",),
        "unit": ("contractcommitmentunit",),
        "tags": ("contractid",),
    },
    number_format="point",
)
# Tables of our own agreements, whose headings are the fields on the wire.
PARLEY = Export(
    "parley_agreements",
    ("name", "suppliername", "termstart", "termend", "renewaltype", "totalvalue", "currency"),
    "agreements",
    {
        **{field_name: (field_name.replace("_", ""),) for field_name in list_names("agreements")},
        "supplier": ("suppliername",),
        "owner": ("owners", "owner"),
        "owner_email": ("owneremails", "owneremail"),
        "line_number": ("line",),
        "product": ("linedescription",),
    },
    number_format="point",
)
EXPORTS: Sequence[Export] = (COUPA, XERO, QUICKBOOKS, MICROSOFT, FOCUS, PARLEY)


def recognise_export(header: Sequence[str]) -> Export | None:
    """Return the export that has these headings; None for any other table."""
    names = {fold_column_name(name) for name in header}
    for export in EXPORTS:
        if names.issuperset(export.headings) and names.isdisjoint(export.foreign):
            return export
    return None


def resolve_columns(
    header: Sequence[str], kind: str | None, mapping: Mapping[str, str], ignore: Sequence[str]
) -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the mapping and the columns to leave out of a file, as far as an export does not say otherwise
    than the person who asked for `mapping` and `ignore`."""
    export = recognise_export(header)
    if export is None or export.kind != kind:
        return mapping, ignore
    names = {folded: name for name in header if (folded := fold_column_name(name))}
    said = {fold_column_name(name) for name in (*mapping.values(), *ignore)}
    known = {
        field_name: next((one for one in headings if one in names), "")
        for field_name, headings in export.columns.items()
    }
    mapped = {name: names[one] for name, one in known.items() if one and one not in said} | dict(mapping)
    taken = said | {fold_column_name(name) for name in mapped.values()}
    return mapped, [*ignore, *(name for folded, name in names.items() if folded not in taken)]
