"""Units are compared by what they count."""

import pytest

from app.service.scopes.units import find_period, remove_period, unit_words, units_agree


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("seats", "user", True),
        ("Nutzer", "named users", True),
        ("employee / month", "employees", True),
        ("each", "user", True),
        ("H87", "user", True),
        (None, "user", True),
        ("pack", "user", False),
        ("host", "user", False),
        ("GB/day", "user", False),
        ("utenti", "users", True),
        ("licenze", "seats", True),
        ("pezzi", "user", True),
        ("per utente al mese", "employee", False),
        ("utilizadores", "named users", True),
        ("quantidade", "user", True),
        ("projeto", "user", False),
    ],
)
def test_units_are_compared_by_what_they_count(one: str | None, other: str, agree: bool) -> None:
    assert units_agree(one, other) is agree


@pytest.mark.parametrize(
    ("unit", "word", "period"),
    [
        ("user / month", "user", "month"),
        ("Arbeitsplatz pro Jahr", "user", "year"),
        ("licence par mois", "user", "month"),
        ("medewerker per maand", "employee", "month"),
        ("servidor por año", "host", "year"),
        ("per utente al mese", "user", "month"),
        ("postazione / anno", "user", "year"),
        ("utilizador por mês", "user", "month"),
        ("dispositivos por ano", "device", "year"),
    ],
)
def test_a_unit_names_what_is_counted_and_the_period_of_its_price(unit: str, word: str, period: str) -> None:
    assert unit_words(unit) == {word}
    assert find_period(unit) == period


@pytest.mark.parametrize(
    ("unit", "left"),
    [
        ("user / month", "user"),
        ("GB per month", "GB"),
        ("named users per year", "named users"),
        ("Nutzer/Monat", "Nutzer"),
        ("month", "month"),
        ("user", "user"),
    ],
)
def test_a_unit_without_the_period_of_its_price(unit: str, left: str) -> None:
    assert remove_period(unit) == left
