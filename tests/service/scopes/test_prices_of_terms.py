"""What a quote costs for its whole term, however it states prices that are paid by time."""

import pytest

from tests.service.scopes.conftest import Quoter

HEAD = "Supplier: Northgate Systems Ltd\nQuote Q-7\nDate: 2026-11-02\nCurrency: USD\n\n"

QUOTES: dict[str, tuple[int, str]] = {
    "price per user and month": (
        57600,
        """\
Product           Users   Price per user per month   Monthly total
Analytics      100           12.00        1,200.00
Desk    50           8.00          400.00
Total per month           1,600.00
Term: 36 months, billed annually
""",
    ),
    "annual price": (
        57600,
        """\
Product           Users   Annual price   Annual total
Analytics      100        144.00     14,400.00
Desk    50         96.00      4,800.00
Annual total           19,200.00
Term: 3 years
""",
    ),
    "annual beside the contract": (
        57600,
        """\
Product           Users   Price per user per year   Annual total
Analytics      100        144.00     14,400.00
Desk    50         96.00      4,800.00
Annual recurring total           19,200.00
Total contract value (3 years)           57,600.00
Term: 3 years
""",
    ),
    "cells of paces are amounts": (
        8200,
        """\
Item           Qty   Monthly   One-time
Analytics       10     250.00   1,000.00
Desk     5      50.00     0.00
Monthly recurring charges           300.00
One-time charges           1,000.00
Term: 24 months
""",
    ),
    "setup fee beside months": (
        8200,
        """\
Item           Qty   Unit price/month   Monthly total   Setup fee
Analytics       10     25.00           250.00          1,000.00
Desk     5     10.00           50.00           0.00
Total           300.00           1,000.00
Term: 24 months
""",
    ),
    "years side by side": (
        36000,
        """\
Product           Users   Year 1      Year 2      Year 3
Analytics      100   10,000.00   12,000.00   14,000.00
Total           10,000.00   12,000.00   14,000.00
Total contract value   36,000.00
Term: 36 months
""",
    ),
    "price of the term": (
        43200,
        """\
Product           Users   Price (36 months)   Total
Analytics      100        432.00     43,200.00
Total           43,200.00
Term: 36 months
""",
    ),
    "price per quarter": (
        24000,
        """\
Product           Qty   Unit price per quarter    Quarterly amount
Analytics      10     300.00   3,000.00
Total per quarter           3,000.00
Term: 24 months
""",
    ),
    "einmalig neben monatlich": (
        7700,
        """\
Northgate Systems GmbH
Angebot Q-9
Datum: 02.11.2026

Pos   Bezeichnung           Menge   Einmalig   Monatlich
1     Analytics       10      500,00 €           250,00 €
2     Desk        5      0,00 €           50,00 €
Summe netto           500,00 €           300,00 €
Laufzeit: 24 Monate
""",
    ),
    "annual after a discount": (
        48000,
        """\
Product           Users   List price   Discount   Net price    Annual
Analytics      100     200.00     20%    160.00    16,000.00
Annual subscription fee           16,000.00
Term: 36 months, three annual payments
""",
    ),
    "deposit beside rent": (
        72000,
        """\
Product           Qty   Monthly rent    Total per month
Analytics      10     300.00   3,000.00
Total per month           3,000.00
Term: 24 months
Deposit: 6,000.00
""",
    ),
    "setup below months": (
        44100,
        """\
Product           Users   Unit price   Amount
Analytics, per user per month      100      12.00        1,200.00
Setup, one-time           1      900.00          900.00
Monthly total           1,200.00
Term: 36 months
""",
    ),
    "a month and twelve": (
        14400,
        """\
Product           Users   Price per month   Amount
Analytics      100      12.00        1,200.00
Total per month           1,200.00
Total for 12 months           14,400.00
Term: 12 months
""",
    ),
    "tax of a month": (
        14400,
        """\
Product           Users   Price per user per month   Monthly total
Analytics      100           12.00        1,200.00
Subtotal per month           1,200.00
VAT 20%           240.00
Total per month           1,440.00
Term: 12 months
""",
    ),
    "annual, billed monthly": (
        24000,
        """\
Product           Users   Annual price   Annual total
Analytics      100      120.00       12,000.00
Annual total, billed monthly           12,000.00
Term: 24 months
""",
    ),
    "total, billed monthly": (
        24000,
        """\
Product           Users   Unit price   Total
Analytics      100      240.00       24,000.00
Total (billed monthly)           24,000.00
Term: 24 months
""",
    ),
    "rest of a term": (
        7200,
        """\
Product           Users   Start   End   Price per user per month   Total
Analytics      100   2026-12-01   2027-05-31     12.00        7,200.00
Total           7,200.00
""",
    ),
    "a line a year": (
        37830,
        """\
Product           Period   Users   Unit price   Amount
Analytics    Year 1      100      120.00       12,000.00
Analytics    Year 2      100      126.00       12,600.00
Analytics    Year 3      100      132.30       13,230.00
Total           37,830.00
Term: 36 months
""",
    ),
    "a sum alone tells": (
        54000,
        """\
Product           Users   Amount
Analytics      100      1,200.00
Desk      10      300.00
Monthly recurring total           1,500.00
Term: 36 months
""",
    ),
    "a month and a year": (
        31200,
        """\
Product           Users   Monthly fee   Yearly fee
Analytics      100      1,200.00   14,400.00
Desk    10        100.00    1,200.00
Total           1,300.00   15,600.00
Term: 24 months
""",
    ),
    "pago único": (
        6100,
        """\
Northgate Systems SL
Presupuesto Q-9
Fecha: 02/11/2026

Descripción           Cantidad   Precio mensual   Importe mensual
Analytics       10      25,00 €           250,00 €
Alta (pago único)          1     100,00 €           100,00 €
Total mensual           250,00 €
Duración: 24 meses
""",
    ),
    "miesięcznie": (
        6000,
        """\
Northgate Systems Sp. z o.o.
Oferta Q-9
Data: 2026-11-02

Nazwa           Ilość   Cena netto / m-c   Wartość netto / m-c
Analytics       10      25,00 zł           250,00 zł
Razem netto miesięcznie           250,00 zł
Okres umowy: 24 miesiące
""",
    ),
    "月額": (
        600000,
        """\
ノースゲート株式会社
見積書 Q-9
2026年11月2日

品名           数量   月額単価   月額
Analytics       10      2,500円           25,000円
合計（月額・税抜）           25,000円
契約期間: 24ヶ月
""",
    ),
    "p/m": (
        6000,
        """\
Northgate Systems BV
Offerte Q-9
Datum: 02-11-2026

Omschrijving           Aantal   Prijs p/m   Totaal p/m
Analytics       10      25,00 €           250,00 €
Totaal per maand excl. btw           250,00 €
Looptijd: 24 maanden
""",
    ),
    "p.a.": (
        5000,
        """\
Item           Qty   Unit p.a.   Total p.a.
Analytics       10     250.00           2,500.00
Total p.a.           2,500.00
Term: 24 months
""",
    ),
}


@pytest.mark.parametrize("name", QUOTES)
def test_a_price_is_counted_for_the_whole_term(quoter: Quoter, name: str) -> None:
    price, text = QUOTES[name]
    head = "" if "Systems" in text or "株式会社" in text else HEAD
    [term] = quoter.scope(quoter.upload(head + text, "quote.txt"))["scopeTerms"]
    assert term["finalPrice"] == price
