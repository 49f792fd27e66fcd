"""Headings are taken apart, and words for one kind are told from those for another."""

import pytest

from app.service.catalog.company_rows import match_company_columns
from app.service.imports.file_kinds import recognise_kind
from app.service.pricing.rates.files import match_rate_columns
from app.service.table_files.column_cells import are_line_numbers, are_whole_numbers
from app.service.table_files.column_headings import read_heading
from app.service.table_files.heading_words import split_joined


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("vendorname", ("vendor", "name")),
        ("unitprice", ("unit", "price")),
        ("lieferantenname", ("lieferanten", "name")),
        ("zzvendor", ("zzvendor",)),
        ("supplier", ("supplier",)),
        ("", ("",)),
    ],
)
def test_joined_words_are_parted_where_each_is_known(word: str, parts: tuple[str, ...]) -> None:
    assert split_joined(word) == parts


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("PODate", "po date"),
        ("Betrag in EUR netto", "betrag"),
        ("Unit price (excl. VAT) [EUR]", "unit price"),
        ("Preis pro Nutzer und Monat", "preis"),
        ("QTY_ORDERED", "qty ordered"),
        ("ALL items", "all items"),
        ("Total all", "total all"),
        ("Kurztext 1", "kurztext"),
        ("Kurztext 2", "kurztext 2"),
        ("Price 1", "price 1"),
        ("Årsvärde (tkr)", "ars varde"),
        ("  ", ""),
        ("(((", ""),
        ("€", ""),
        ("x" * 10_000, "x" * 200),
    ],
)
def test_what_a_heading_says_of_values_is_put_aside(heading: str, words: str) -> None:
    assert " ".join(read_heading(heading).words) == words


@pytest.mark.parametrize(
    ("cells", "lines", "whole"),
    [
        (["10", "20", "30", "10", "20"], True, True),
        ([1, 2, 3, 1], True, True),
        (["10", "10", "10"], True, True),
        ([1.0, 2.0, None, 3.0], True, True),
        (["00010", "00020"], True, True),
        (["1001", "4711"], False, True),
        (["10", "A"], False, False),
        (["1.5", "2.5"], False, False),
        ([], False, False),
        (["10"], False, False),
    ],
)
def test_numbers_of_lines_are_told_from_others(cells: list[object], lines: bool, whole: bool) -> None:
    assert (are_line_numbers(cells), are_whole_numbers(cells)) == (lines, whole)


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        ("LIFNR,NAME1,LAND1,WAERS,ZTERM", {"name": 1}),
        ("SupplierID,SupplierName,Region,SupplierRiskScore", {"name": 1}),
        ("Lieferant,Webseite,Kategorie", {"name": 0, "url": 1, "category": 2}),
        ("Nom du fournisseur,Site web,Catégorie", {"name": 0, "url": 1, "category": 2}),
        ("Fornecedor,Produtos", {"name": 0, "products": 1}),
    ],
)
def test_a_list_of_suppliers_is_read_in_many_languages(header: str, fields: dict[str, int]) -> None:
    assert match_company_columns(header.split(",")).fields == fields


@pytest.mark.parametrize(
    "header",
    [
        "date,base_currency,quote_currency,exchange_rate",
        "Datum,Basiswährung,Zielwährung,Kurs",
        "Date,Devise de base,Devise cible,Taux de change",
        "Fecha,Moneda base,Moneda destino,Tipo de cambio",
        "Data,Moeda base,Moeda destino,Taxa de câmbio",
        "GDATU,FCURR,TCURR,UKURS",
    ],
)
def test_rates_are_read_in_many_languages(header: str) -> None:
    assert match_rate_columns(header.split(",")).fields == {"date": 0, "base": 1, "currency": 2, "rate": 3}


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("LIFNR,NAME1,LAND1,WAERS,ZTERM", "catalog"),
        ("EBELN,EBELP,LIFNR,MATNR,TXZ01,BEDAT,MENGE,NETPR,PEINH,WAERS,MEINS", "purchases"),
        ("Sector,Entidad,Beneficiario,ValorContrato", "agreements"),
        (
            "id_contrato,numero,unidade,fornecedor_nome,valor_global,vigencia_inicio,vigencia_fim",
            "agreements",
        ),
        ("Lieferant,Vertragsnummer,Kündigungsfrist,Laufzeit", "agreements"),
        ("Bestelldatum,Lieferant,Artikel,Menge,Einzelpreis", "purchases"),
        ("Datum,Basiswährung,Zielwährung,Kurs", "rates"),
        ("Lieferant,Webseite,Branche", "catalog"),
    ],
)
def test_a_kind_is_recognised_in_any_language(header: str, kind: str) -> None:
    assert recognise_kind(header.split(",")).name == kind


@pytest.mark.parametrize(
    ("heading", "currency"),
    [
        ("Årsvärde", None),
        ("mtl Kosten", None),
        ("Årsvärde (Mkr)", "kr"),
        ("amount_aud", "AUD"),
        ("ARS amount", "ARS"),
    ],
)
def test_a_word_that_is_spelt_as_a_code_names_no_currency(heading: str, currency: str | None) -> None:
    assert read_heading(heading).currency == currency
