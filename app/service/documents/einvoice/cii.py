"""UN/CEFACT cross-industry documents: Factur-X, ZUGFeRD 1 and 2, XRechnung (CII), Order-X."""

from decimal import Decimal

from app.service.documents.einvoice.document_codes import find_kind_of_code, list_warnings_of_code
from app.service.documents.einvoice.ubl import STATED
from app.service.documents.einvoice.xml_tree import (
    Element,
    find_amount,
    find_child,
    find_children,
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
    trade = _first_child(root, "SupplyChainTradeTransaction", "SpecifiedSupplyChainTradeTransaction")
    agreement = _first_child(trade, "ApplicableHeaderTradeAgreement", "ApplicableSupplyChainTradeAgreement")
    settlement = _first_child(
        trade, "ApplicableHeaderTradeSettlement", "ApplicableSupplyChainTradeSettlement"
    )
    sums = _first_child(
        settlement,
        "SpecifiedTradeSettlementHeaderMonetarySummation",
        "SpecifiedTradeSettlementMonetarySummation",
    )
    document = _first_child(root, "ExchangedDocument", "HeaderExchangedDocument")
    code = find_text(document, "TypeCode")
    currency = find_text(settlement, "InvoiceCurrencyCode", "OrderCurrencyCode") or _find_currency(sums)
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
    known = {key: value for key, value in values.items() if value is not None}
    return Extraction(
        file=filename,
        kind=find_kind_of_code(code, _ROOTS[local_name(root)]),
        warnings=list_warnings_of_code(code),
        line_items=tuple(
            item
            for line in find_children(trade, "IncludedSupplyChainTradeLineItem")
            if (item := _read_item(line)).amount is not None or item.quantity is not None
        ),
        provenance=dict.fromkeys(known, STATED),
        **known,  # type: ignore[arg-type]
    )


def _first_child(element: Element | None, *tags: str) -> Element | None:
    return next((found for tag in tags if (found := find_child(element, tag)) is not None), None)


def _find_currency(sums: Element | None) -> str | None:
    if sums is None:
        return None
    return next((code for one in sums.iter() if (code := one.get("currencyID"))), None)


def _read_item(line: Element) -> LineItem:
    agreement = _first_child(line, "SpecifiedLineTradeAgreement", "SpecifiedSupplyChainTradeAgreement")
    delivery = _first_child(line, "SpecifiedLineTradeDelivery", "SpecifiedSupplyChainTradeDelivery")
    settlement = _first_child(line, "SpecifiedLineTradeSettlement", "SpecifiedSupplyChainTradeSettlement")
    product = find_child(line, "SpecifiedTradeProduct")
    counted = _first_child(delivery, "BilledQuantity", "RequestedQuantity", "AgreedQuantity")
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
    known = {key: value for key, value in values.items() if value is not None}
    return LineItem(provenance=dict.fromkeys(known, STATED), **known)  # type: ignore[arg-type]


def _read_price(agreement: Element | None, tag: str) -> tuple[Decimal | None, Decimal]:
    price = find_child(agreement, tag)
    return find_number(price, "ChargeAmount"), find_number(price, "BasisQuantity") or Decimal(1)
