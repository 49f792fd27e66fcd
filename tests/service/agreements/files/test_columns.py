"""What the headings of lists of contracts mean, in many languages; what only resembles is offered."""

import pytest

from app.service.agreements.files.columns import AgreementColumns

CONTRACT = ("reference", "name", "supplier", "term_start", "term_end", "total_value")


def name_fields(header: str, *rows: str) -> dict[str, str]:
    names = header.split("|")
    matched = AgreementColumns.match(names, None, (), [row.split("|") for row in rows])
    return {field: names[at] for field, at in matched.fields.items()}


@pytest.mark.parametrize(
    "header",
    [
        "ContractNumber|ContractName|VendorName|StartDate|EndDate|ContractValue",
        "contract_id|contract_title|counterparty_name|contract_start|contract_end|contract_amount",
        "Vertragsnummer|Vertragsgegenstand|Lieferant|Vertragsbeginn|Vertragsende|Vertragswert",
        "Vertrags-Nr.|Bezeichnung|Vertragspartner|Laufzeit von|Laufzeit bis|Auftragswert",
        "N° de contrat|Objet du contrat|Titulaire|Date de début|Date de fin|Montant",
        "Número de contrato|Objeto del contrato|Adjudicatario|Fecha inicio|Fecha fin|Valor contrato",
        "Numero do contrato|Objeto|Contratada|Vigência início|Vigência fim|Valor global",
        "numero|objeto|fornecedor_nome|vigencia_inicio|vigencia_fim|valor_global",
        "Numero contratto|Oggetto del contratto|Fornitore|Data inizio|Data fine|Importo contratto",
        "Contractnummer|Contractnaam|Leverancier|Ingangsdatum|Einddatum|Contractwaarde",
        "Numer umowy|Przedmiot umowy|Wykonawca|Data rozpoczęcia|Data zakończenia|Wartość umowy",
        "Avtalsnummer|Avtalsnamn|Leverantör|Startdatum|Slutdatum|Avtalsvärde",
        "CONTRATO|OBJETO|CONTRATADA|INÍCIO|TÉRMINO|VALOR GLOBAL",
        "CN ID|Title|Supplier Name|Contract Start|Contract End|Value (AUD)",
        "Framework no|Framework title|Contractor|Valid from|End date (excl. extensions)|Value excl. options",
        "계약번호|계약명|업체명|착수일자|완수일자|계약금액",
        "contracts/0/id|contracts/0/title|awards/0/suppliers/0/name"
        "|contracts/0/period/startDate|contracts/0/period/endDate|contracts/0/value/amount",
    ],
)
def test_a_contract_is_known_in_many_languages(header: str) -> None:
    assert name_fields(header) == dict(zip(CONTRACT, header.split("|"), strict=True))


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Kündigungsfrist", "notice_period"),
        ("Notice period (days)", "notice_days"),
        ("Préavis (mois)", "notice_months"),
        ("Contract term (months)", "term_months"),
        ("Laufzeit (Monate)", "term_months"),
        ("Laufzeit", "term"),
        ("Prazo", "term"),
        ("Auto-renew", "auto_renewal"),
        ("Tacite reconduction", "auto_renewal"),
        ("Verlängerung am", "renewal_date"),
        ("Latest end date (incl. extensions)", "max_extent_date"),
        ("Current expiration date", "term_end"),
        ("Value (£000): Whole life", "total_value"),
        ("Estimert verdi eks. mva (MNOK)", "total_value"),
        ("合同金额（万元）", "total_value"),
        ("Kontraktsperiode", "term_period"),
        ("Valor anual", "annual_value"),
        ("VALOR ANUAL ATUAL", "annual_value"),
        ("Annual cost (EUR)", "annual_value"),
        ("annual_cost_eur", "annual_value"),
        ("Zahlungsziel", "payment_terms_days"),
        ("Condizioni di pagamento", "payment_terms_days"),
        ("Abrechnung", "billing_frequency"),
        ("Responsible person", "owner"),
        ("seats_purchased", "quantity"),
        ("Number of seats", "quantity"),
        ("Anzahl Lizenzen", "quantity"),
        ("price per seat", "unit_price"),
        ("UnitCostUSD", "unit_price"),
        ("Devise", "currency"),
        ("Contract term (years)", "term_years"),
        ("Monthly price per user", "unit_price"),
        ("Cost per seat per month", "unit_price"),
        ("Preis pro Nutzer und Monat (EUR)", "unit_price"),
        ("Monthly price", "annual_value"),
    ],
)
def test_a_heading_is_a_field(heading: str, field: str) -> None:
    assert name_fields(heading) == {field: heading}


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("VIGÊNCIA", "term_end"),
        ("price", "unit_price"),
        ("Description", "name"),
        ("Contract vallue", "total_value"),
    ],
)
def test_what_resembles_a_field_is_offered(heading: str, field: str) -> None:
    matched = AgreementColumns.match([heading])
    assert (field in matched.fields, matched.offered) == (False, {0: field})


@pytest.mark.parametrize(
    ("header", "currency", "fields"),
    [
        ("name|total_eur", "EUR", {"name", "total_value"}),
        ("name|Total (€)|Unit price EUR", "EUR", {"name", "total_value", "unit_price"}),
        ("name|total_eur|setup_fee_usd", None, {"name"}),
        ("name|total_eur|currency", None, {"name", "currency"}),
    ],
)
def test_headings_of_amounts_name_their_currency(header: str, currency: str | None, fields: set[str]) -> None:
    matched = AgreementColumns.match(header.split("|"))
    assert (matched.currency, set(matched.fields)) == (currency, fields)


def test_numbers_of_rows_are_no_references() -> None:
    assert "reference" not in name_fields("Number|Title", "1|A", "2|B", "3|C")
    assert name_fields("Number|Title", "17/2024|A", "3/2024|B")["reference"] == "Number"


def test_a_column_of_numbers_alone_numbers_contracts_and_calls_none() -> None:
    assert name_fields("Agreement|Supplier", "4600000411|A", "4600000420|B") == {
        "reference": "Agreement",
        "supplier": "Supplier",
    }
    lines = ("Agreement|Short text|Target quantity", "4600000411|Bar|5", "4600000411|Tube|6")
    assert name_fields(*lines)["product"] == "Short text"


def test_a_unit_needs_what_is_counted() -> None:
    assert "unit" not in name_fields("numero|unidade|fornecedor")
    assert name_fields("contrato|quantidade|unidade")["unit"] == "unidade"


def test_an_amount_with_tax_is_told() -> None:
    assert AgreementColumns.match(["name", "Contract value incl. VAT"]).gross == ["total_value"]
    assert AgreementColumns.match(["name", "Contract value"]).gross == []


def test_a_total_beside_money_is_none_unless_it_names_a_currency_too() -> None:
    assert "total_value" not in name_fields("Name|Expiry|Total|Cost", "Acrobat|2027-01-01|25|$4,500.00")
    assert name_fields("Name|Expiry|Total", "Acrobat|2027-01-01|25")["total_value"] == "Total"
    assert name_fields("Name|Expiry|Total", "Acrobat|2027-01-01|$25")["total_value"] == "Total"


def test_of_two_columns_the_one_with_values_is_read() -> None:
    found = name_fields("Contract|Start date|Contract start date", "A||2026-01-01")
    assert found["term_start"] == "Contract start date"
