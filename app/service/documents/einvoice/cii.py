"""UN/CEFACT cross-industry documents: Factur-X, ZUGFeRD 1 and 2, XRechnung (CII), Order-X."""

from decimal import Decimal

from app.service.documents.einvoice.ubl import STATED
from app.service.documents.einvoice.xml_tree import (
    Element,
    amount_in,
    child,
    children,
    day,
    name,
    number,
    text,
)
from app.service.documents.extraction import Extraction, Kind, LineItem

_ROOTS: dict[str, Kind] = {
    "CrossIndustryInvoice": "invoice",
    "CrossIndustryDocument": "invoice",
    "SCRDMCCBDACIOMessageStructure": "order",
}
_QUOTES = {"310"}


def is_cii(root: Element) -> bool:
    return name(root) in _ROOTS


def read_cii(root: Element, filename: str) -> Extraction:
    """The e-document as an Extraction; every value is verified, for the file states it outright."""
    trade = _first(root, "SupplyChainTradeTransaction", "SpecifiedSupplyChainTradeTransaction")
    agreement = _first(trade, "ApplicableHeaderTradeAgreement", "ApplicableSupplyChainTradeAgreement")
    settlement = _first(trade, "ApplicableHeaderTradeSettlement", "ApplicableSupplyChainTradeSettlement")
    sums = _first(
        settlement,
        "SpecifiedTradeSettlementHeaderMonetarySummation",
        "SpecifiedTradeSettlementMonetarySummation",
    )
    document = _first(root, "ExchangedDocument", "HeaderExchangedDocument")
    code = text(document, "TypeCode")
    currency = text(settlement, "InvoiceCurrencyCode", "OrderCurrencyCode") or _currency(sums)
    values: dict[str, object] = {
        "supplier": text(agreement, "SellerTradeParty/Name"),
        "buyer": text(agreement, "BuyerTradeParty/Name"),
        "currency": currency,
        "document_number": text(document, "ID"),
        "document_date": day(document, "IssueDateTime/DateTimeString"),
        "valid_until": day(document, "EffectiveSpecifiedPeriod/EndDateTime/DateTimeString"),
        "net_total": number(sums, "TaxBasisTotalAmount", "LineTotalAmount"),
        "tax_total": amount_in(currency, sums, "TaxTotalAmount"),
        "total": number(sums, "GrandTotalAmount"),
        "start_date": day(settlement, "BillingSpecifiedPeriod/StartDateTime/DateTimeString"),
        "end_date": day(settlement, "BillingSpecifiedPeriod/EndDateTime/DateTimeString"),
    }
    known = {key: value for key, value in values.items() if value is not None}
    return Extraction(
        file=filename,
        kind="quote" if code in _QUOTES else _ROOTS[name(root)],
        line_items=tuple(
            item
            for line in children(trade, "IncludedSupplyChainTradeLineItem")
            if (item := _item(line)).amount is not None or item.quantity is not None
        ),
        provenance=dict.fromkeys(known, STATED),
        **known,  # type: ignore[arg-type]
    )


def _first(element: Element | None, *tags: str) -> Element | None:
    return next((found for tag in tags if (found := child(element, tag)) is not None), None)


def _currency(sums: Element | None) -> str | None:
    if sums is None:
        return None
    return next((code for one in sums.iter() if (code := one.get("currencyID"))), None)


def _item(line: Element) -> LineItem:
    agreement = _first(line, "SpecifiedLineTradeAgreement", "SpecifiedSupplyChainTradeAgreement")
    delivery = _first(line, "SpecifiedLineTradeDelivery", "SpecifiedSupplyChainTradeDelivery")
    settlement = _first(line, "SpecifiedLineTradeSettlement", "SpecifiedSupplyChainTradeSettlement")
    product = child(line, "SpecifiedTradeProduct")
    counted = _first(delivery, "BilledQuantity", "RequestedQuantity", "AgreedQuantity")
    net_price, net_basis = _price(agreement, "NetPriceProductTradePrice")
    gross_price, _ = _price(agreement, "GrossPriceProductTradePrice")
    amount = number(
        settlement, "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
        "SpecifiedTradeSettlementMonetarySummation/LineTotalAmount",
    )  # fmt: skip
    values: dict[str, object] = {
        "description": text(product, "Name", "Description"),
        "quantity": number(delivery, "BilledQuantity", "RequestedQuantity", "AgreedQuantity"),
        "unit": counted.get("unitCode") if counted is not None else None,
        "unit_price": net_price,
        "price_basis_quantity": net_basis if net_basis != 1 else None,
        "amount": amount,
        "item_id": text(product, "SellerAssignedID", "GlobalID", "BuyerAssignedID"),
        "list_unit_price": gross_price if gross_price != net_price else None,
    }
    known = {key: value for key, value in values.items() if value is not None}
    return LineItem(provenance=dict.fromkeys(known, STATED), **known)  # type: ignore[arg-type]


def _price(agreement: Element | None, tag: str) -> tuple[Decimal | None, Decimal]:
    price = child(agreement, tag)
    return number(price, "ChargeAmount"), number(price, "BasisQuantity") or Decimal(1)
