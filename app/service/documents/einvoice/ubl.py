"""UBL 2.x: invoices, orders, quotations (OASIS Universal Business Language)."""

from decimal import Decimal

from app.service.documents.einvoice.document_codes import build_document, build_line
from app.service.documents.einvoice.xml_tree import (
    Element,
    find_amount,
    find_child,
    find_children,
    find_currency,
    find_date,
    find_number,
    find_text,
    local_name,
)
from app.service.documents.extraction import Extraction, Kind, LineItem

_KINDS: dict[str, Kind] = {
    "Invoice": "invoice", "CreditNote": "credit_note", "SelfBilledInvoice": "invoice",
    "SelfBilledCreditNote": "credit_note", "Order": "order",
    "OrderChange": "order", "OrderResponse": "order", "OrderResponseSimple": "order", "Quotation": "quote",
    "Catalogue": "price_list",
}  # fmt: skip
_TOTALS = ("LegalMonetaryTotal", "AnticipatedMonetaryTotal", "QuotedMonetaryTotal", "RequestedMonetaryTotal")
_LINES = ("InvoiceLine", "CreditNoteLine", "OrderLine/LineItem", "QuotationLine/LineItem", "OrderLine")


def is_ubl(root: Element) -> bool:
    return local_name(root) in _KINDS and "oasis" in str(root.tag)


def read_ubl(root: Element, filename: str) -> Extraction:
    """A UBL document as an Extraction; every value is verified, for the file states it outright."""
    totals = find_child(root, *_TOTALS)
    net = find_number(totals, "TaxExclusiveAmount", "LineExtensionAmount")
    gross = find_number(totals, "TaxInclusiveAmount", "PayableAmount")
    currency = find_text(root, "DocumentCurrencyCode", "PricingCurrencyCode") or find_currency(root)
    tax = find_amount(currency, root, "TaxTotal/TaxAmount")
    items = _read_items(root)
    if local_name(root) == "Order" and net is None:
        net = find_number(totals, "LineExtensionAmount")
    if gross is not None and tax is None and net is not None and gross != net:
        tax = gross - net
    values: dict[str, object] = {
        "supplier": _read_party(root, "AccountingSupplierParty", "SellerSupplierParty"),
        "buyer": _read_party(
            root, "AccountingCustomerParty", "BuyerCustomerParty", "OriginatorCustomerParty"
        ),
        "currency": currency,
        "document_number": find_text(root, "ID"),
        "document_date": find_date(root, "IssueDate"),
        "valid_until": find_date(root, "ValidityPeriod/EndDate"),
        "net_total": net,
        "tax_total": tax,
        "total": gross if gross is not None else (None if net is None else net + (tax or 0)),
        "start_date": find_date(root, "InvoicePeriod/StartDate"),
        "end_date": find_date(root, "InvoicePeriod/EndDate"),
    }
    code = find_text(root, "InvoiceTypeCode", "CreditNoteTypeCode")
    return build_document(filename, code, _KINDS[local_name(root)], items, values)


def _read_party(root: Element, *tags: str) -> str | None:
    for tag in tags:
        found = find_text(
            root, f"{tag}/Party/PartyName/Name", f"{tag}/Party/PartyLegalEntity/RegistrationName",
            f"{tag}/Party/Contact/Name",
        )  # fmt: skip
        if found:
            return found
    return None


def _read_items(root: Element) -> list[LineItem]:
    for tag in _LINES:
        lines = find_children(root, tag)
        if lines:
            return [_read_item(line) for line in lines]
    return []


def _read_item(line: Element) -> LineItem:
    counted = find_child(line, "InvoicedQuantity", "CreditedQuantity", "Quantity")
    basis = find_number(line, "Price/BaseQuantity") or Decimal(1)
    price = find_number(line, "Price/PriceAmount")
    unit = counted.get("unitCode") if counted is not None else None
    values: dict[str, object] = {
        "description": find_text(line, "Item/Name", "Item/Description"),
        "quantity": find_number(line, "InvoicedQuantity", "CreditedQuantity", "Quantity"),
        "unit": unit,
        "unit_price": price,
        "price_basis_quantity": basis if basis != 1 else None,
        "amount": find_number(line, "LineExtensionAmount"),
        "item_id": find_text(
            line,
            "Item/SellersItemIdentification/ID",
            "Item/StandardItemIdentification/ID",
            "Item/BuyersItemIdentification/ID",
        ),
    }
    return build_line(values)
