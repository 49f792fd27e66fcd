"""Units of measure, spans of time and what prices are for."""

from decimal import Decimal

import pytest

from app.service.values.periods import Period, Span, read_period, read_span
from app.service.values.units import Measure, find_factor, read_measure


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        *(("kg", Measure("KGM")), ("Stk.", Measure("C62")), ("pcs", Measure("C62")), ("m²", Measure("MTK"))),
        *(
            ("heures", Measure("HUR")),
            ("Tag", Measure("DAY")),
            ("KGM", Measure("KGM")),
            ("litros", Measure("LTR")),
        ),
        *(("100 Stück", Measure("C62", Decimal(100))), ("pack of 100", Measure("C62", Decimal(100)))),
        *(
            ("bag of 25 kg", Measure("KGM", Decimal(25))),
            ("pack", Measure("PK")),
            ("1000", None),
            ("widget", None),
        ),
    ],
)
def test_a_unit_is_read_in_words_signs_and_codes(text: str, measure: Measure | None) -> None:
    assert read_measure(text) == measure


@pytest.mark.parametrize(
    ("one", "other", "factor"),
    [
        (Measure("GRM"), Measure("KGM"), "0.001"),
        (Measure("TNE"), Measure("KGM"), "1000"),
        (Measure("C62", Decimal(100)), Measure("C62"), "100"),
        (Measure("ANN"), Measure("MON"), "12"),
        (Measure("HUR"), Measure("DAY"), None),
        (Measure("MON"), Measure("DAY"), None),
        (Measure("PK"), Measure("C62"), None),
        (Measure("KGM"), Measure("LTR"), None),
    ],
)
def test_units_convert_within_a_dimension(one: Measure, other: Measure, factor: str | None) -> None:
    assert find_factor(one, other) == (factor and Decimal(factor))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        *(("36 months", Span(36, "month")), ("3 yrs", Span(36, "month")), ("P1Y6M", Span(18, "month"))),
        *(("1,5 Jahre", Span(18, "month")), ("90 Tage", Span(90, "day")), ("2 weeks", Span(14, "day"))),
        *(
            ("0 days", Span(0, "day")),
            ("P30D", Span(30, "day")),
            ("12", None),
            ("5 hours", None),
            ("monthly", None),
        ),
    ],
)
def test_a_span_is_of_months_or_of_days(text: str, span: Span | None) -> None:
    assert read_span(text) == span


@pytest.mark.parametrize(
    ("period", "texts"),
    [
        ("month", "month|monthly|per month|/mo|pro Monat|1 month|par mois|mensuel|miesięcznie"),
        ("year", "year|yearly|p.a.|per annum|jährlich|12 months|per year"),
        ("quarter", "quarterly|per quarter|vierteljährlich"),
        ("once", "once|one-time|einmalig"),
        ("term", "term|per term|contract"),
        (None, "36 months|per user|widget|"),
    ],
)
def test_a_period_is_read_in_words(period: Period | None, texts: str) -> None:
    assert {text: read_period(text) for text in texts.split("|")} == dict.fromkeys(texts.split("|"), period)
