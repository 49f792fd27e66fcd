"""What prices are for, in headings and in running text."""

from decimal import Decimal

import pytest

from app.service.values.price_basis import (
    PriceBasis,
    cut_price_basis,
    cut_price_count,
    find_price_count,
    read_price_basis,
)


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("per user and month", PriceBasis("month", None, "user")),
        ("pro Nutzer/Monat", PriceBasis("month", None, "user")),
        ("par utilisateur et par mois", PriceBasis("month", None, "user")),
        ("per 1,000", PriceBasis(None, Decimal(1000))), ("per M", PriceBasis(None, Decimal(1000))),
        ("pro Dutzend", PriceBasis(None, Decimal(12))), ("par millier", PriceBasis(None, Decimal(1000))),
        ("je 100 Stück", PriceBasis(None, Decimal(100), "C62")), ("/kg", PriceBasis(None, None, "KGM")),
        ("per user/m", PriceBasis("month", None, "user")), ("per m", None),
        ("each", PriceBasis(None, None, "C62")),
        ("per hour", PriceBasis("hour")),
        ("per widget", None), ("per 2026", None), ("per cent", None), ("", None),
    ],
)  # fmt: skip
def test_a_price_is_for_a_period_a_count_and_a_unit(text: str, basis: PriceBasis | None) -> None:
    assert read_price_basis(text) == basis


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Price per 1,000", 1000), ("Preis je 100 Stück", 100), ("Price per M", 1000), ("EUR/C", 100),
        ("CPM", 1000), ("Net CPM", 1000), ("TKP", 1000), ("CPMS", None),
        ("Preis pro 100", 100), ("price per thousand", 1000), ("Preis je Tausend", 1000),
        ("12.50/1000", 1000), ("Prix pour 1000", 1000), ("Prix les 100", 100), ("Precio por 1.000", 1000),
        ("per dozen", 12), ("Prijs per 100", 100), ("per 1 000 pcs", 1000), ("Prezzo per 100 pz", 100),
        ("Цена за 100 шт", 100), ("Cena za tys. szt.", 1000), ("price per user per 1000", 1000),
        ("Price per unit", None), ("Price per 12 months", None), ("Preis pro Monat", None), ("per m", None),
        ("Price per 100 days", None), ("Price 1-99", None), ("Price/2026", None), ("per user", None),
        ("per 1", None), ("100 pcs", None), ("per 10%", None), ("5 per cent", None), ("10 por ciento", None),
    ],
)  # fmt: skip
def test_a_text_says_for_how_many_units_a_price_is(text: str, count: int | None) -> None:
    found = find_price_count(text)
    assert (None if found is None else found.count) == count
    assert (cut_price_count(text) == text) == (count is None)


@pytest.mark.parametrize(
    ("heading", "rest", "basis"),
    [
        ("Price per M", "Price", PriceBasis(count=Decimal(1000))),
        ("Price per m", "Price per m", None),
        ("PRICE/M", "PRICE/M", None),
        ("Price/2026", "Price/2026", None),
        ("Stückpreis je 100", "Stückpreis", PriceBasis(count=Decimal(100))),
        ("Prezzo all'ora", "Prezzo", PriceBasis("hour")),
    ],
)
def test_a_heading_says_at_its_end_what_a_price_is_for(
    heading: str, rest: str, basis: PriceBasis | None
) -> None:
    assert cut_price_basis(heading) == (rest, basis)
