"""What the headings of order lists mean, in many languages and systems; what only resembles is offered."""

from decimal import Decimal
from typing import Any

import pytest

from app.service.purchases.columns import PurchaseColumns

LINE = ("purchase_date", "supplier", "product", "quantity", "unit_price")
"""The fields of most tables below."""


def match(header: str, *rows: str, **mapping: str) -> PurchaseColumns:
    """Match a header whose headings, like the cells of rows, are parted by `|`."""
    return PurchaseColumns.match(header.split("|"), mapping, (), [row.split("|") for row in rows])


def name_fields(header: str, *rows: str) -> dict[str, str]:
    names = header.split("|")
    return {field: names[at] for field, at in match(header, *rows).fields.items()}


def name_offers(header: str, *rows: str) -> dict[str, str]:
    names = header.split("|")
    return {names[at]: field for at, field in match(header, *rows).offered.items()}


@pytest.mark.parametrize(
    "header",
    [
        "PODate|SupplierName|ItemDescription|Qty|UnitPrice",
        "order_date|vendor_name|product_name|qty_ordered|unit_cost",
        "orderdate|vendorname|productname|qtyordered|unitprice",
        "ORDERDATE|VENDORNAME|ITEMDESCRIPTION|QUANTITY|UNITPRICE",
        "Bestelldatum|Lieferant|Artikelbezeichnung|Bestellmenge|Einzelpreis",
        "Datum|Lieferantenname|Bezeichnung|Menge|Stückpreis",
        "Belegdatum|Kreditor|Kurztext|Menge|Nettopreis",
        "Date de commande|Fournisseur|Désignation|Qté|Prix unitaire HT",
        "Date commande|Nom du fournisseur|Libellé article|Quantité|P.U. HT",
        "Fecha de pedido|Proveedor|Descripción|Cantidad|Precio unitario",
        "Fecha|Nombre del proveedor|Producto|Cant.|Precio",
        "Data do pedido|Fornecedor|Descrição do produto|Quantidade|Preço unitário",
        "Data|Nome do fornecedor|Produto|Qtde|Valor unitário",
        "Data ordine|Fornitore|Descrizione articolo|Quantità|Prezzo unitario",
        "Besteldatum|Leverancier|Artikelomschrijving|Aantal|Stuksprijs",
        "Data zamówienia|Dostawca|Nazwa towaru|Ilość|Cena jednostkowa",
        "Orderdatum|Leverantör|Artikel|Antal|Enhetspris",
        "Ordredato|Leverandør|Vare|Antal|Enhedspris",
        "Datum objednávky|Dodavatel|Zboží|Množství|Jednotková cena",
        "Sipariş tarihi|Tedarikçi|Ürün|Miktar|Birim fiyatı",
        "BEDAT|NAME1|TXZ01|MENGE|NETPR",
        "Document Date|Vendor Name|Short Text|Order Quantity|Net Order Price",
        "Transaction Date|Vendor|Product/Service Full Name|Qty|Rate",
        "order-date|Supplier Name|Item Description|quantity|Price (USD)",
        "Posting Date|Buy-from Vendor Name|Description|Quantity|Direct Unit Cost",
        "PO Date|Supplier/Vendor|Product(s)|Qty (pcs)|Unit price [EUR]",
    ],
)
def test_a_line_of_an_order_is_known_in_many_languages_and_systems(header: str) -> None:
    assert name_fields(header) == dict(zip(LINE, header.split("|"), strict=True))


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("PO #", "order_id"),
        ("PO No.", "order_id"),
        ("POID", "order_id"),
        ("EBELN", "order_id"),
        ("Purch. Doc.", "order_id"),
        ("Bestellnummer", "order_id"),
        ("N° de commande", "order_id"),
        ("Número de pedido", "order_id"),
        ("MATNR", "product_key"),
        ("Item No.", "product_key"),
        ("Referência", "product_key"),
        ("Código del artículo", "product_key"),
        ("MEINS", "unit"),
        ("Unité", "unit"),
        ("Unit of measure", "unit"),
        ("WAERS", "currency"),
        ("Währung", "currency"),
        ("Waehrung", "currency"),
        ("Moeda", "currency"),
        ("Warengruppe", "category"),
        ("WGBEZ", "category"),
        ("Entidad contratante", "buyer"),
        ("Auftraggeber", "buyer"),
        ("Net Order Value", "total_price"),
        ("Betrag in EUR netto", "total_price"),
        ("Montant HT (€)", "total_price"),
        ("NETWR", "total_price"),
        ("BeneficiaryName", "supplier"),
        ("Adjudicatario", "supplier"),
        ("awards/0/suppliers/0/name", "supplier"),
        ("awards/0/value/amount", "total_price"),
        ("Marke", "brand"),
        ("Listenpreis", "list_price"),
    ],
)
def test_a_heading_is_a_field(heading: str, field: str) -> None:
    assert name_fields(heading) == {field: heading}


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Curr.", "currency"),
        ("Contract term (months)", "term_months"),
        ("Prise unitaire", "unit_price"),
        ("Suplier name", "supplier"),
        ("Quantty", "quantity"),
        ("Qty (thousands)", "quantity"),
        ("Monthly total", "total_price"),
        ("Hourly rate", "unit_price"),
        ("notes", "product"),
        ("Transaction", "product"),
        ("PO amount", "total_price"),
        ("Delivery date", "purchase_date"),
    ],
)
def test_what_resembles_a_field_is_offered(heading: str, field: str) -> None:
    columns = match(heading)
    assert field not in columns.fields
    assert columns.offered == {0: field}


@pytest.mark.parametrize(
    "heading",
    [
        "Status",
        "Net weight",
        "VAT",
        "Tax rate",
        "Plant",
        "Region",
        "Cost center",
        "GST number",
        "Discount",
        "x",
    ],
)
def test_what_is_no_field_is_neither_taken_nor_offered(heading: str) -> None:
    columns = match(heading)
    assert (columns.fields, columns.offered) == ({}, {})


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Preço (€)", {"currency": "EUR"}),
        ("Unit price [EUR]", {"currency": "EUR"}),
        ("unit_cost_usd", {"currency": "USD"}),
        ("price_aud", {"currency": "AUD"}),
        ("UnitPriceEUR", {"currency": "EUR"}),
        ("Prix unitaire HT (EUR)", {"currency": "EUR", "tax": "before tax"}),
        ("Unit price incl. VAT", {"tax": "with tax"}),
        ("Monthly price", {"period": "month"}),
        ("price per year", {"period": "year"}),
        ("Preis pro Monat", {"period": "month"}),
        ("price per user per month", {"period": "month", "price_unit": "user"}),
        ("Price per 1,000", {"price_basis": Decimal(1000)}),
        ("Preis je 100", {"price_basis": Decimal(100)}),
        ("Unit price (per 100 pcs)", {"price_basis": Decimal(100), "price_unit": "C62"}),
        ("Price / kg", {"price_unit": "KGM"}),
    ],
)
def test_a_price_says_what_it_is_for(heading: str, said: dict[str, Any]) -> None:
    columns = match(heading)
    assert columns.fields == {"unit_price": 0}
    price = columns.find_heading("unit_price")
    found = {
        "currency": columns.currency,
        "tax": columns.tax,
        "price_basis": columns.find_heading("unit_price").count,
    }
    found |= {"period": price.period, "price_unit": price.unit}
    assert {name: value for name, value in found.items() if value is not None} == said


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("Item|Short Text|Material", {"product": "Short Text", "product_key": "Material"}),
        ("Item|Description|Qty", {"product": "Item", "description": "Description", "quantity": "Qty"}),
        ("Description|Amount", {"description": "Description", "total_price": "Amount"}),
        ("LIFNR|NAME1", {"supplier": "NAME1"}),
        ("LIFNR|TXZ01", {"product": "TXZ01"}),
        ("Vendor|Vendor name", {"supplier": "Vendor name"}),
        ("Price|Unit price (EUR)", {"unit_price": "Unit price (EUR)"}),
        ("Price (EUR)|Price (USD)", {}),
        ("Subtotal|Tax|Total", {"total_price": "Subtotal"}),
        ("Net|VAT|Gross", {"total_price": "Net"}),
        ("Nettobetrag|MwSt|Bruttobetrag", {"total_price": "Nettobetrag"}),
        ("Total TTC|TVA|Total HT", {"total_price": "Total HT"}),
        ("Unit price|Total incl. VAT", {"unit_price": "Unit price"}),
        ("Bruttobetrag", {"total_price": "Bruttobetrag"}),
        ("Price unit|Net price", {"unit_price": "Net price"}),
        ("status|supplier", {"supplier": "supplier"}),
    ],
)
def test_of_several_columns_the_best_is_taken(header: str, fields: dict[str, str]) -> None:
    assert name_fields(header) == fields


def test_a_number_of_suppliers_is_told() -> None:
    assert match("LIFNR|NAME1").supplier_number is None
    assert match("NAME1").supplier_number is None
    numbered = match("Supplier ID|x")
    assert (numbered.supplier_number, numbered.offered) == (0, {0: "supplier"})
    assert "supplier" not in numbered.fields


def test_a_basis_of_prices_has_a_column() -> None:
    assert match("NETPR|PEINH").find_role("basis") == 1
    assert match("Preis|Preiseinheit").find_role("basis") == 1


@pytest.mark.parametrize(
    ("header", "rows", "fields"),
    [
        ("Item|Description|Qty", ["10|Bolt|2", "20|Nut|3", "10|Washer|4"], {"product": "Description"}),
        ("Pos|Item|Qty", ["1|Bolt|2", "2|Nut|3"], {"product": "Item"}),
        ("Item|Qty", ["1|2", "2|3", "3|3"], {}),
        ("Item|Qty", ["1001|2", "4711|3"], {}),
        ("Item|Qty", ["A4 paper|2", "10|3"], {"product": "Item"}),
    ],
)
def test_the_number_of_a_line_is_no_product(header: str, rows: list[str], fields: dict[str, str]) -> None:
    found = name_fields(header, *rows)
    assert {name: found[name] for name in found if name == "product"} == fields


@pytest.mark.parametrize(
    ("header", "rows", "price", "tax"),
    [
        ("a|tax_amount|total", ["100|10|110", "50|5|55", "20|2|22"], "a", "before tax"),
        ("Goods|Levy|Total", ["100|19|119", "50|9.5|59.5", "20|3.8|23.8"], "Goods", "before tax"),
        ("Goods|Freight|Total", ["100|10|110", "50|5|55", "20|2|22"], "Total", None),
        (
            "Basis|IGST|SGST|CGST|Total amt",
            ["100||9|9|118", "50|9|||59", "10||1|1|12"],
            "Basis",
            "before tax",
        ),
        ("VAT|Total", ["10|110", "5|55", "2|22"], None, None),
        ("Amount|GST|Total", ["1000|150|1150"], "Amount", "before tax"),
        (
            "Basis|VAT|Total",
            ["1.000,00|190,00|1.190,00", "10,00|1,90|11,90", "5,00|0,95|5,95"],
            "Basis",
            "before tax",
        ),
        ("Amount|VAT|Rest", ["100|10|110", "50|5|55", "20|2|22"], "Amount", "before tax"),
    ],
)
def test_reckoning_tells_the_price_before_tax(
    header: str, rows: list[str], price: str | None, tax: str | None
) -> None:
    columns = match(header, *rows)
    found = {name: header.split("|")[at] for name, at in columns.fields.items()}
    assert found.get("total_price") == price
    assert columns.tax == tax
    assert bool(columns.notes) == (tax is None and columns.find_role("tax") is not None)


def test_a_total_that_may_hold_its_tax_is_offered() -> None:
    columns = match("VAT|Total", "10|110", "5|55")
    assert (columns.fields, columns.offered) == ({}, {1: "total_price"})


def test_a_total_in_the_currency_of_the_books_is_left_out_beside_the_price_in_that_of_the_order() -> None:
    header = "qty|price|currency|exchange rate|amount usd|received qty|colour"
    columns = match(header, "10|100|EUR|1.08|1080|8|red", "2|250|USD|1|500|2|blue")
    assert columns.fields.keys() == {"quantity", "unit_price", "currency"}
    assert columns.list_others().keys() == {"colour"}
    assert len(columns.notes) == 1
    same = match(header, "10|108|USD|1.08|1080|8|red")
    assert same.fields["total_price"] == 4


def test_what_a_price_is_for_is_counted_by_its_own_column_or_asked() -> None:
    columns = match("pack size|packs|price per pack", "100|20|8.00", "50|10|5.00")
    assert columns.fields == {"quantity": 1, "unit_price": 2}
    alone = match("date|supplier|product|price per pack", "2026-11-02|Marwick|Gloves|8.00")
    assert alone.missing == ["quantity"]


@pytest.mark.parametrize("heading", ["pro", "per", "je", "par"])
def test_a_column_of_powers_of_ten_is_what_a_price_is_for(heading: str) -> None:
    columns = match(f"qty|net price|{heading}", "5000|12,00|100", "2500|8,00|1.000")
    assert (columns.find_role("basis"), "price_period" in columns.fields) == (2, False)
    assert match(f"qty|net price|{heading}", "5|12,00|month").find_role("basis") is None


def test_a_term_in_years_is_one() -> None:
    columns = match("users|years|annual price per user", "40|3|240", "10|1|360")
    assert (columns.fields["term_months"], columns.months_of_term) == (1, 12)
    assert match("users|years|months|price per user", "40|3|36|240").months_of_term == 1


def test_a_column_is_what_all_its_cells_say() -> None:
    header, rows = "qty|price|price type|cycle|vat_included|colour", ["40|20|monthly|yearly|yes|red"]
    columns = match(header, *rows, "10|240|annual|monthly|no|blue")
    assert columns.fields == {"quantity": 0, "unit_price": 1, "price_period": 2}
    assert (columns.find_role("billing"), columns.find_role("gross")) == (3, 4)
    assert columns.list_others().keys() == {"cycle", "colour"}


def test_a_total_with_tax_is_none_beside_a_unit_price() -> None:
    rows = ["2|50|10|110", "1|50|5|55", "4|5|2|22"]
    columns = match("Qty|Unit price|VAT|Total", *rows)
    assert "total_price" not in columns.fields
    assert columns.tax == "before tax"


def test_headings_that_name_two_currencies_are_noted() -> None:
    columns = match("Unit price (USD)|Total (EUR)")
    assert columns.currency is None
    assert len(columns.notes) == 1
    assert match("Unit price ($)|Total (CAD)").currency == "CAD"


def test_a_person_comes_before_every_name() -> None:
    columns = match(
        "Item|Total|Subtotal|Tax", "a|11|10|1", "b|22|20|2", "c|33|30|3", total_price="Total", product=""
    )
    assert columns.fields == {"total_price": 1}
    assert "product" not in columns.offered.values()


@pytest.mark.parametrize(
    ("table", "fields"),
    [
        (
            "Qty|Price net|Per piece|Day;5|50|10|7;4|48|12|8",
            {"unit_price": "Per piece", "total_price": "Price net"},
        ),
        (
            "Qty|Price net|Rate 2|Disc. %;500|7100|14.2|0;24|18796.8|890|12",
            {"unit_price": "Rate 2", "total_price": "Price net"},
        ),
        (
            "Qty|Unit price|Final amount x;5|10|50;4|12|48;9|12|12",
            {"unit_price": "Unit price", "total_price": "Final amount x"},
        ),
        (
            "Qty|Unit price|Discount|Amount|Net due;5|10|5|50|45;4|12|0|48|48",
            {"unit_price": "Unit price", "total_price": "Net due"},
        ),
    ],
)
def test_what_a_quantity_makes_tells_a_price_from_a_total(table: str, fields: dict[str, str]) -> None:
    found = name_fields(*table.split(";"))
    assert {name: title for name, title in found.items() if name != "quantity"} == fields


@pytest.mark.parametrize("heading", ["Kaufmenge", "Sales kvantitet", "Inhoeveelheid"])
def test_a_compound_may_be_a_quantity(heading: str) -> None:
    columns = match(f"Date|Supplier|Product|Price|{heading}", "2025-03-05|A|B|7.50|20")
    assert columns.missing == ["quantity"]
