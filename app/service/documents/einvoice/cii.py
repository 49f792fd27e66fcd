"""UN/CEFACT cross-industry documents: Factur-X, ZUGFeRD 1 and 2, XRechnung (CII), Order-X."""

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

_ROOTS: dict[str, Kind] = {
    "CrossIndustryInvoice": "invoice",
    "CrossIndustryDocument": "invoice",
    "SCRDMCCBDACIOMessageStructure": "order",
}


def is_cii(root: Element) -> bool:
    return local_name(root) in _ROOTS


def read_cii(root: Element, filename: str) -> Extraction:
    """The e-document as an Extraction; every value is verified, for the file states it outright."""
    trade = find_child(root, "SupplyChainTradeTransaction", "SpecifiedSupplyChainTradeTransaction")
    agreement = find_child(trade, "ApplicableHeaderTradeAgreement", "ApplicableSupplyChainTradeAgreement")
    settlement = find_child(trade, "ApplicableHeaderTradeSettlement", "ApplicableSupplyChainTradeSettlement")
    sums = find_child(
        settlement,
        "SpecifiedTradeSettlementHeaderMonetarySummation",
        "SpecifiedTradeSettlementMonetarySummation",
    )
    document = find_child(root, "ExchangedDocument", "HeaderExchangedDocument")
    code = find_text(document, "TypeCode")
    currency = find_text(settlement, "InvoiceCurrencyCode", "OrderCurrencyCode") or find_currency(root)
    values: dict[str, object] = {
        "supplier": find_text(agreement, "SellerTradeParty/Name"),
        "buyer": find_text(agreement, "BuyerTradeParty/Name"),
        "currency": currency,
        "document_number": find_text(document, "ID"),
        "document_date": find_date(document, "IssueDateTime/DateTimeString"),
        "valid_until": find_date(document, "EffectiveSpecifiedPeriod/EndDateTime/DateTimeString"),
        "net_total": find_number(sums, "TaxBasisTotalAmount", "LineTotalAmount"),
        "tax_total": find_amount(currency, sums, "TaxTotalAmount"),
        "total": find_number(sums, "GrandTotalAmount"),
        "start_date": find_date(settlement, "BillingSpecifiedPeriod/StartDateTime/DateTimeString"),
        "end_date": find_date(settlement, "BillingSpecifiedPeriod/EndDateTime/DateTimeString"),
    }
    items = [_read_item(line) for line in find_children(trade, "IncludedSupplyChainTradeLineItem")]
    items = [item for item in items if item.amount is not None or item.quantity is not None]
    return build_document(filename, code, _ROOTS[local_name(root)], items, values)


def _read_item(line: Element) -> LineItem:
    agreement = find_child(line, "SpecifiedLineTradeAgreement", "SpecifiedSupplyChainTradeAgreement")
    delivery = find_child(line, "SpecifiedLineTradeDelivery", "SpecifiedSupplyChainTradeDelivery")
    settlement = find_child(line, "SpecifiedLineTradeSettlement", "SpecifiedSupplyChainTradeSettlement")
    product = find_child(line, "SpecifiedTradeProduct")
    counted = find_child(delivery, "BilledQuantity", "RequestedQuantity", "AgreedQuantity")
    net_price, net_basis = _read_price(agreement, "NetPriceProductTradePrice")
    gross_price, _ = _read_price(agreement, "GrossPriceProductTradePrice")
    amount = find_number(
        settlement, "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
        "SpecifiedTradeSettlementMonetarySummation/LineTotalAmount",
    )  # fmt: skip
    values: dict[str, object] = {
        "description": find_text(product, "Name", "Description"),
        "quantity": find_number(delivery, "BilledQuantity", "RequestedQuantity", "AgreedQuantity"),
        "unit": counted.get("unitCode") if counted is not None else None,
        "unit_price": net_price,
        "price_basis_quantity": net_basis if net_basis != 1 else None,
        "amount": amount,
        "item_id": find_text(product, "SellerAssignedID", "GlobalID", "BuyerAssignedID"),
        "list_unit_price": gross_price if gross_price != net_price else None,
    }
    return build_line(values)


def _read_price(agreement: Element | None, tag: str) -> tuple[Decimal | None, Decimal]:
    price = find_child(agreement, tag)
    return find_number(price, "ChargeAmount"), find_number(price, "BasisQuantity") or Decimal(1)
