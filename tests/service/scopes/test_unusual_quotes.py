"""What a quote is taken for that few suppliers send: unusual terms, changes within them, lines that are not
simply bought, amounts that contradict each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import pytest

from app.contract.scope import LineRole
from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from app.service.scopes.line_roles import classify_line
from app.service.scopes.whole_term import WholeTerm, compute_whole_term

HEAD = "Quotation Q-9 from Acme Software Ltd\nDate: 2026-11-22\nCurrency: USD\n\n"
PRICED, RUNNING = "Description,Qty,Unit price,Amount\n", "Description,From,To,Qty,Amount\n"


@dataclass(frozen=True)
class Read:
    """A quote with the charges of its lines, all of which are products on record, and their roles."""

    document: Extraction
    whole: WholeTerm
    roles: Sequence[LineRole]

    @property
    def total(self) -> Decimal | None:
        return self.whole.net_total(self.document)

    @property
    def warnings(self) -> str:
        return " ".join([*self.document.warnings, *self.whole.warnings])


def read(text: str) -> Read:
    document = read_document(f"{HEAD}{text}".encode(), "quote.csv")
    kinds = [classify_line(line, matched=True) for line in document.line_items]
    whole = compute_whole_term(document, [kind.recurring for kind in kinds])
    return Read(document, whole, [kind.role for kind in kinds])


@pytest.mark.parametrize(
    ("stated", "months"),
    [("1 month", 1), ("37 months", 37), ('"1,200 months"', 1200), ("100 years", 1200)],
)
def test_a_term_of_any_length_is_the_term(stated: str, months: int) -> None:
    term = stated if stated.startswith('"') else f'"{stated}"'
    one = read(f'{PRICED}Desk,10,100.00,1000.00\nTotal,,,1000.00\n"Term: {term[1:]}\n')
    assert (one.whole.months, one.total) == (months, 1000)


def test_a_term_of_no_months_is_none_and_the_assumed_one_is_said() -> None:
    one = read(f"{PRICED}Desk,10,100.00,1000.00\nTotal,,,1000.00\nTerm: 0 months\n")
    assert one.whole.months == 12
    assert "12 months are assumed" in one.warnings


def test_a_line_that_begins_before_the_term_makes_its_start_doubtful() -> None:
    one = read(
        f"{RUNNING}Desk,2026-10-01,2027-09-30,10,1200.00\nTotal,,,,1200.00\n"
        "Term start: 2027-01-01\nTerm: 12 months\n"
    )
    assert one.total == 1200
    assert "Desk begins on 1 October 2026, and the term not before 1 January 2027." in one.warnings


def test_a_quantity_may_change_in_the_middle_of_a_year() -> None:
    one = read(
        f"{RUNNING}Desk,2027-01-01,2027-06-30,10,600.00\nDesk,2027-07-01,2027-12-31,20,1200.00\n"
        "Total,,,,1800.00\nTerm: 12 months\n"
    )
    assert [line.quantity for line in one.document.line_items] == [10, 20]
    assert [one.whole.find_part(at) for at in range(2)] == [(0, 6), (6, 6)]
    assert (one.total, one.whole.unproved) == (1800, frozenset())


def test_a_total_that_fits_two_readings_is_asked() -> None:
    lines = "Desk,10,100.00,1000.00\n" * 3
    one = read(f"{PRICED}{lines}Total,,,3000.00\nTerm: 36 months\n")
    assert one.whole.unproved == {0, 1, 2}
    assert [one.whole.find_part(at) for at in range(3)] == [(0, 12), (12, 12), (24, 12)]


@pytest.mark.parametrize(
    ("lines", "total", "roles"),
    [
        ("Migration credit,1,-200.00,-200.00\nTotal,,,800.00\n", 800, ["product", "not_product"]),
        ("Onboarding,1,0.00,0.00\nTotal,,,1000.00\n", 1000, ["product", "product"]),
        ("Support,1,included,included\nTotal,,,1000.00\n", 1000, ["product", "product"]),
        ("Optional: Vault,5,50.00,250.00\nTotal,,,1000.00\n", 1000, ["product", "left_aside"]),
        ("Alternative: Desk Basic,10,80.00,800.00\nTotal,,,1000.00\n", 1000, ["product", "left_aside"]),
        ("API calls,200000,0.001,200.00\nTotal,,,1200.00\n", 1200, ["product", "product"]),
        ("SMS,1000,0.0005,0.50\nTotal,,,1000.50\n", Decimal("1000.50"), ["product", "product"]),
    ],
)
def test_lines_that_are_not_simply_bought(lines: str, total: Decimal, roles: list[LineRole]) -> None:
    one = read(f"{PRICED}Desk,10,100.00,1000.00\n{lines}")
    assert (one.total, list(one.roles)) == (total, roles)


def test_lines_in_two_currencies_have_no_total() -> None:
    one = read(f"{PRICED}Desk,10,USD 100.00,USD 1000.00\nVault,5,EUR 50.00,EUR 250.00\n")
    assert one.total is None
    assert one.document.line_currencies == ("EUR", "USD")
    assert "in EUR and USD" in one.warnings


@pytest.mark.parametrize(
    "lines",
    ["Desk,10,-20.00,-200.00\n", "Desk,10,100.00,1000.00\nDiscount,,,-1200.00\n"],
)
def test_a_discount_of_more_than_the_line_gives_money_back(lines: str) -> None:
    one = read(f"{PRICED}{lines}Total,,,-200.00\n")
    assert one.total == -200  # no price: the scope has none, and says so


def test_the_day_until_which_a_quote_is_valid_may_have_passed() -> None:
    one = read(f"Valid until: 2026-11-26\n{PRICED}Desk,10,100.00,1000.00\nTotal,,,1000.00\n")
    assert one.document.valid_until is not None
    assert (one.document.valid_until.isoformat(), one.total) == ("2026-11-26", 1000)
