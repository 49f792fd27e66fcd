from components.sourcing.quote_table import (
    QuoteCell,
    QuoteColumn,
    QuoteRow,
    Total,
    TotalRow,
    draw_quote_table,
)
from tests.components.fixtures import make_id


def example() -> None:
    first, second = make_id(1), make_id(2)
    notes = ["Quoted for 20, at EUR 95.00 a month.", "EUR 1 = USD 1.0834, the rate of 20 Nov 2026."]
    draw_quote_table(
        [
            QuoteColumn("market", "Market", "1 of 2 lines", notes=["It is no quote."]),
            QuoteColumn(first, "Northgate Systems", "USD 24,700.00", notes=["All lines are answered."]),
            QuoteColumn(
                second, "Acme Cloud", "USD 9,000.00", ["expired"], ["It was valid until 1 Mar 2026."]
            ),
        ],
        [
            QuoteRow(
                "Analytics seats",
                "20 seats",
                ["must-have"],
                {
                    "market": [QuoteCell("market", "25,100.00", "23,900.00 to 27,400.00", notes=notes)],
                    first: [QuoteCell("lowest", "24,700.00", "EUR 95.00 a month", notes=notes)],
                    second: [
                        QuoteCell(
                            "not compared",
                            "9,000.00",
                            "USD 37.50 a month",
                            ["alternate"],
                            "An alternative offer: another way to answer the line.",
                        )
                    ],
                },
            ),
            QuoteRow(
                "Support desk <b>seats</b>",
                "5 seats",
                (),
                {"market": [QuoteCell("market", "not known", "", (), "Not known which product.")]},
            ),
        ],
        [
            TotalRow("One-off", "What is paid once.", {first: Total("700.00", covers="1 of 2 lines")}),
            TotalRow(
                "Whole term",
                "Cells that can be compared.",
                {
                    first: Total("24,700.00", mark="lowest", ranked=True),
                    second: Total("9,000.00", covers="1 of 2 lines", notes=["Not ranked."]),
                },
                main=True,
            ),
        ],
        alt="Two quotes for two lines",
        measure="USD, for 24 months",
    )
