from decimal import Decimal

from components.elements.line_table import LineColumn, LineTable, make_rows

COLUMNS = (
    LineColumn("description", "Description", width="large", most=2_000, fault="say what is needed."),
    LineColumn("quantity", "Quantity", "number"),
    LineColumn("pricePer", "Is for", words={"month": "a month", "year": "a year"}),
    LineColumn("firstMonth", "From month", "months", shift=1),
    LineColumn("mustHave", "Must have", "flag", default=True),
)


def example() -> None:
    line = {"description": "Analytics", "quantity": Decimal(10), "pricePer": "year", "firstMonth": 12}
    rows = make_rows(COLUMNS, [line])
    LineTable("example-lines", "What is needed", COLUMNS, rows).draw("Line 2: say what is needed.")
    LineTable("example-corrected", "What is corrected", COLUMNS, rows, corrects=True).draw(None)
