"""What the sums below the table of quotes show, of what each is, and which ones compare.

Every sum is the service's: nothing is added up here.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal

from app.contract.sourcing import Matrix, MatrixQuote, MatrixTotal
from app.dashboard.sourcing.figures import format_cents
from components.formatting.counts import format_count
from components.sourcing.quote_table import Total, TotalRow


def make_totals(matrix: Matrix) -> list[TotalRow]:
    """Return the sums below the table, as the service gives them."""
    currency, rate = matrix.requirement.currency, matrix.requirement.discount_rate

    def row(name: str, note: str, find: Callable[[MatrixQuote], Decimal | None]) -> TotalRow:
        found = {column.quote_id: find(column) for column in matrix.quotes if column.lines_answered}
        parts = {column.quote_id: describe_part(column.whole_term) for column in matrix.quotes}
        values = {
            key: Total(format_cents(value), parts[key]) for key, value in found.items() if value is not None
        }
        return TotalRow(name, f"{note} In {currency}, of the cells that are compared.", values)

    years = max((len(column.years) for column in matrix.quotes), default=0)
    before = "before volume discounts" if any(column.discount for column in matrix.quotes) else ""
    totals = [
        row("One-off", _join("What is paid once and not again at a renewal", before), lambda one: one.once),
        row(
            "Recurring or for the term",
            _join("What is paid each month, year or term", before),
            lambda one: one.recurring,
        ),
        *(
            row(f"Year {year + 1}", _join(f"What is paid in year {year + 1}", before), _find_year(year))
            for year in range(years if years > 1 else 0)
        ),
        row(
            "Volume discount",
            "What volume discounts take off if the quote gets all of this.",
            lambda one: -one.discount if one.discount else None,
        ),
    ]
    if rate is not None:
        note = f"What all payments are worth at the start of the term, at {rate.normalize():f} % a year."
        totals.append(row("Present value", note, lambda one: one.present_value))
    must_haves = {
        column.quote_id: column.must_haves for column in matrix.quotes if column.must_haves is not None
    }
    note = f"What must be had alone, discounts on it taken off. In {currency}."
    totals.append(_rank("Must-have lines", note, must_haves))
    whole_term = {column.quote_id: column.whole_term for column in matrix.quotes}
    note = f"Every line over the whole term, discounts taken off. In {currency}."
    totals.append(_rank("Whole term", note, whole_term, main=True))
    return [total for total in totals if total.values]


def describe_part(total: MatrixTotal) -> str:
    """Return of how many lines a total is; nothing for one of all."""
    return (
        f"{total.lines:,} of {format_count(total.of_lines, 'line')}" if total.lines < total.of_lines else ""
    )


def _rank(name: str, note: str, totals: Mapping[str, MatrixTotal], *, main: bool = False) -> TotalRow:
    """A row of totals that compare. Those that cannot be ranked say so and do not stand out."""
    several = sum(one.rank is not None for one in totals.values()) > 1
    values = {
        quote_id: Total(
            format_cents(one.amount),
            describe_part(one) or ("" if one.rank else "not ranked"),
            "lowest" if one.rank == 1 and several else "",
            [one.statement] if one.statement else [],
            ranked=one.rank is not None,
        )
        for quote_id, one in totals.items()
        if one.amount is not None
    }
    return TotalRow(name, note, values, main)


def _join(sentence: str, before: str) -> str:
    return f"{sentence}, {before}." if before else f"{sentence}."


def _find_year(year: int) -> Callable[[MatrixQuote], Decimal | None]:
    return lambda one: one.years[year] if year < len(one.years) else None
