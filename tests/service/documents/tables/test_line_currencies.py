"""In which currencies the lines of a document are priced."""

from app.service.documents.tables.detection import find_tables
from app.service.documents.tables.line_currencies import find_line_currencies
from app.service.documents.tables.table_lines import read_table_lines
from tests.service.documents.typewriter import type_document


def currencies(*lines: str) -> tuple[str, ...]:
    rows = type_document("Description       Qty       Price        Amount\n" + "\n".join(lines)).rows
    return find_line_currencies(read_table_lines(find_tables(rows)), rows)


def test_codes_that_stand_with_the_amounts_are_named() -> None:
    assert currencies(
        "Editor seats       10    USD 5.00     USD 50.00",
        "Viewer seats        2    EUR 1.50      EUR 3.00",
    ) == ("EUR", "USD")


def test_a_bare_sign_may_be_any_of_several() -> None:
    assert currencies("Editor seats       10       $5.00        $50.00") == ()
