"""Lists of things with a price each, that no table and no sum follow."""

from decimal import Decimal

import pytest

from app.service.documents.tables.inline_calculations import read_listed_prices
from tests.service.documents.typewriter import type_document


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "- 2,000 printed cartons at £0.42 each\n- one-off cutting die £260\n",
            [(2000, "0.42", None), (1, "260", "260")],
        ),
        (
            "• Refonte : 3 200 € HT\n• Formation : 2 journées à 550 € HT\n• Hébergement : 180 € par an\n",
            [(1, "3200", "3200"), (2, "550", None), (1, "180", "180")],
        ),
        (
            "Option A: felt, 15 year guarantee - £11,850\nOption B: membrane, 20 year guarantee - £14,200\n",
            [(1, "11850", "11850"), (1, "14200", "14200")],
        ),
        (
            "• Licences: $6,000 (150 licences × $40)\n• Support: $1,800 (flat rate)\n",
            [(150, "40", "6000"), (1, "1800", "1800")],
        ),
        (
            "Replace the shingles      $8,400 +HST\nReplace the gutters       US$ 3,150 +HST\n",
            [(1, "8400", "8400"), (1, "3150", "3150")],
        ),
        (
            "Maintenance, 2 visits a year     890.00 EUR\nFirst inspection        400.00 EUR\n",
            [(1, "890", "890"), (1, "400", "400")],
        ),
        (
            "[X]   Cooler, hot and cold   Qty 3   £18.50 per unit\n[ ]   Boiling tap   Qty __   £32.00\n"
            "One-off\n[X]   Installation   £95.00\n",
            [(3, "18.50", None), (1, "95.00", "95.00")],
        ),
        (
            "A thing      $10\nAnother      $20\nTotal:\nA third one      $30\n",
            [(1, "10", "10"), (1, "20", "20")],
        ),
        (
            "• 200 rolos de fita adesiva: R$ 11,90 o rolo\n• 40 cartons of tape: R$ 9,00 the carton\n",
            [(200, "11.90", None), (40, "9.00", None)],
        ),
        (
            "1 cazan pe gaz - 5.890 lei\nmontaj si reglaj - 1.450 lei\n"
            "8 buc calorifer otel - 415 lei/buc, total 3.320 lei\n",
            [(1, "5890", "5890"), (1, "1450", "1450"), (8, "415", "3320")],
        ),
        (
            "1. Service of units (42 pcs) ved 28,00 € stk, dvs. 1.176,00 €\n2. Service of a pump, 650,00 €\n",
            [(42, "28", "1176"), (1, "650", "650")],
        ),
        ("Paid: 12 monthly sums of £750.00, £9,000.00\nPaid: 2 sums of £10.00, £20.00\n", []),
        ("Replace the shingles for $8,400 +HST\nReplace the gutters for $3,150 +HST\n", []),
        ("Tier 1: 1-20 seats - $350\nTier 2: 21-80 seats - $300\n", []),
        ("• Unit price: $120.00 per server\n• Unit price: $40.00 per seat\n", []),
        ("- Total: £260\n- Deposit: £100\n", []),
        # Two beside each other among more that stand alone.
        ("A: $10\nB: $20\ntext\nSeat: $30\ntext\nDesk: $40\ntext\nLamp: $50\n", []),
    ],
)
def test_things_in_lists_are_lines(text: str, lines: list[tuple[int, str, str | None]]) -> None:
    read = read_listed_prices(type_document(text).rows)
    assert [(one.quantity, one.unit_price, one.amount) for one in read] == [
        (Decimal(count), Decimal(price), Decimal(amount) if amount else None)
        for count, price, amount in lines
    ]


def test_the_price_of_a_unit_in_a_list_has_no_amount() -> None:
    rows = type_document("1. Service of a pump, 650,00 €\n2. Gas R32, 95,00 €/kg (if need be)\n").rows
    assert [(one.unit, one.unit_price, one.amount) for one in read_listed_prices(rows)] == [
        (None, 650, 650),
        ("kg", 95, None),
    ]
