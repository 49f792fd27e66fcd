"""What each cell and column of the table of quotes shows, and what its number rests on."""

from collections.abc import Mapping, Sequence

from app.contract.dates import format_day
from app.contract.money import format_exact_quantity
from app.contract.price_steps import PriceBreak
from app.contract.sourcing import (
    Matrix,
    MatrixCell,
    MatrixLine,
    MatrixQuote,
    RequirementLine,
    SourcingQuote,
    SourcingQuoteLine,
)
from app.contract.sourcing_words import PERIODS
from app.dashboard.sourcing.figures import describe_quantity, format_cents, format_unit_price
from app.dashboard.sourcing.market_cells import (
    MARKET,
    add_verdict,
    make_market_cell,
    make_market_column,
)
from app.dashboard.sourcing.quote_totals import describe_part
from components.formatting.counts import format_count
from components.formatting.shortening import shorten_text
from components.sourcing.quote_list import STATES
from components.sourcing.quote_table import QuoteCell, QuoteColumn, QuoteRow

_LONGEST_TEXT = 300
_ALIGNMENTS = {
    "confirmed": "Which line it answers was stated.",
    "proposed": "Which line it answers was found by comparing texts{}.",
    "doubtful": "Which line it answers is in doubt{}: say so on the Matching tab.",
}


def name_quotes(columns: Sequence[MatrixQuote]) -> dict[str, str]:
    """Return the name of each quote by its id: that of its supplier, numbered where it has several."""
    names: dict[str, str] = {}
    seen: dict[str, int] = {}
    for column in columns:
        name = shorten_text(" ".join(column.supplier_name.split()), 60)
        seen[name] = seen.get(name, 0) + 1
        names[column.quote_id] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def describe_rate(column: MatrixQuote, currency: str) -> str:
    """Return at which rate a quote is converted; nothing where it is in the currency of the requirement."""
    if column.currency == currency:
        return ""
    if column.rate is None:
        return f"There is no exchange rate from {column.currency} to {currency}."
    day = f" on {format_day(column.rate_date)}" if column.rate_date else ""
    return f"{column.currency} 1 = {currency} {column.rate.normalize():f}, the rate{day}."


def make_columns(
    matrix: Matrix, quotes: Mapping[str, SourcingQuote], names: Mapping[str, str], shown: Sequence[str]
) -> list[QuoteColumn]:
    """Return the columns of the `shown` quotes, behind the market's where the service estimates it."""
    return [
        *make_market_column(matrix),
        *(
            _make_column(matrix, column, quotes.get(column.quote_id), names[column.quote_id])
            for column in matrix.quotes
            if column.quote_id in shown
        ),
    ]


def _make_column(matrix: Matrix, column: MatrixQuote, quote: SourcingQuote | None, name: str) -> QuoteColumn:
    currency, total = matrix.requirement.currency, column.whole_term
    must_haves = len(column.must_haves_open)
    notes = [
        name,
        total.statement or "Every line is in its total.",
        f"{format_count(must_haves, 'must-have line is', 'must-have lines are')} not among them."
        if must_haves
        else "",
        *column.notes,
        describe_rate(column, currency),
        *_describe_terms(column, quote, currency),
        f"{format_count(len(column.unaligned), 'line')} of the quote is unmatched: see Matching."
        if column.unaligned
        else "",
    ]
    state = STATES.get(column.status, column.status)
    marks = [
        *([state] if state else []),
        *(["expired"] if column.expired else []),
        *([f"no {column.currency} rate"] if column.rate is None else []),
        *([f"{must_haves} open"] if must_haves else []),
    ]
    # A sum of nothing is not 0: what is not answered is missing, and not free.
    figure = "nothing compared" if total.amount is None else format_cents(total.amount)
    if total.amount is not None and total.lines < total.of_lines:
        figure += f", {describe_part(total)}"
    # What it quotes may be among the lines that nobody matched.
    gap = "nothing matched" if column.unaligned else "not quoted"
    return QuoteColumn(column.quote_id, name, figure, marks, notes, gap)


def _describe_terms(column: MatrixQuote, quote: SourcingQuote | None, currency: str) -> list[str]:
    notes: list[str] = []
    if column.valid_until is not None:
        word = "It was valid until" if column.expired else "It is valid until"
        notes.append(f"{word} {format_day(column.valid_until)}.")
    if column.discount:
        notes.append(
            f"Its volume discounts take off {currency} {format_cents(column.discount)} where it gets all."
        )
    if quote is None:
        return notes
    notes += [
        f"{one.percent:f} % off from {quote.currency} {format_exact_quantity(one.from_amount)} on."
        for one in quote.discounts or ()
    ]
    if quote.minimum_order:
        amount = format_exact_quantity(quote.minimum_order)
        notes.append(f"It takes orders from {quote.currency} {amount} on.")
    if quote.lead_time_days is not None:
        notes.append(f"Delivered within {format_count(quote.lead_time_days, 'day')}.")
    if quote.payment_terms_days is not None:
        notes.append(f"Paid within {format_count(quote.payment_terms_days, 'day')}.")
    return notes


def make_rows(
    matrix: Matrix, lines: Sequence[MatrixLine], quotes: Mapping[str, SourcingQuote]
) -> list[QuoteRow]:
    """Return a row for each of `lines`."""
    columns = {column.quote_id: column for column in matrix.quotes}
    judged = {each.quote_line_id: each for one in lines if one.market for each in one.market.verdicts}
    quoted = {line.id: line for quote in quotes.values() for line in quote.lines}
    rows: list[QuoteRow] = []
    for one in lines:
        by_quote: dict[str, list[MatrixCell]] = {}
        for cell in one.cells:
            by_quote.setdefault(cell.quote_id, []).append(cell)
        cells = {
            quote_id: [
                add_verdict(
                    _make_cell(
                        matrix, one.line, columns[quote_id], cell, quoted.get(cell.quote_line_id), place
                    ),
                    judged.get(cell.quote_line_id),
                    matrix.requirement.currency,
                )
                for place, cell in enumerate(some)
            ]
            for quote_id, some in by_quote.items()
            if quote_id in columns
        }
        if one.market is not None:
            cells[MARKET] = [make_market_cell(matrix, one.line, one.market)]
        rows.append(
            QuoteRow(
                shorten_text(one.line.description, _LONGEST_TEXT),
                describe_quantity(one.line),
                () if one.line.must_have else ("optional",),
                cells,
            )
        )
    return rows


def _make_cell(
    matrix: Matrix,
    needed: RequirementLine,
    column: MatrixQuote,
    cell: MatrixCell,
    line: SourcingQuoteLine | None,
    place: int,
) -> QuoteCell:
    currency = matrix.requirement.currency
    marks: list[str] = []
    if cell.alternate:
        marks.append("alternate")
    if cell.alignment == "doubtful":
        marks.append("doubtful")
    if column.rate is None:
        marks.append("no rate")
    reason = cell.reason or ""
    if cell.comparable and place > 0:
        reason = "Not in the total: another line of the quote is cheaper."
    price = (
        f"{format_unit_price(cell.unit_price, column.currency)} {PERIODS.get(cell.recurring, cell.recurring)}"
    )
    return QuoteCell(
        "lowest" if cell.lowest else "compared" if cell.comparable else "not compared",
        "no amount" if cell.amount is None else format_cents(cell.amount),
        price,
        marks,
        "" if marks else reason,
        [
            reason if marks else "",
            *_describe_quoted(column, cell, line),
            f"The amount is in {currency} for {describe_quantity(needed)} and"
            f" {format_count(matrix.requirement.term_months, 'month')}."
            if cell.amount is not None
            else "",
            _describe_years(cell),
            describe_rate(column, currency),
            _describe_alignment(cell, line),
        ],
    )


def _describe_quoted(column: MatrixQuote, cell: MatrixCell, line: SourcingQuoteLine | None) -> list[str]:
    price = (
        f"{format_unit_price(cell.unit_price, column.currency)} {PERIODS.get(cell.recurring, cell.recurring)}"
    )
    if line is None:
        return [f"Quoted at {price} for a unit."]
    text = shorten_text(" ".join(line.description.split()), _LONGEST_TEXT)
    quantity = f"{format_exact_quantity(line.quantity)} {line.unit or ''}".strip()
    notes = [f"Quoted as “{text}”, {quantity} at {price} each."]
    if cell.compared_unit_price is not None:
        compared = format_unit_price(cell.compared_unit_price, column.currency)
        notes.append(f"That is {compared} for one unit of the requirement, before tax.")
    if line.minimum_quantity is not None:
        notes.append(f"It is sold from {format_exact_quantity(line.minimum_quantity)} on.")
    notes += [_describe_break(one, column.currency) for one in line.breaks or ()]
    if line.bundle_id is not None:
        notes.append(f"Part of the bundle {shorten_text(line.bundle_id, 60)}.")
    return notes


def _describe_break(one: PriceBreak, currency: str) -> str:
    units = "all units" if one.kind == "all_units" else "the units from there on"
    price = format_unit_price(one.unit_price, currency)
    return f"From {format_exact_quantity(one.from_quantity)} on: {price} for {units}."


def _describe_years(cell: MatrixCell) -> str:
    if len(cell.years) < 2:
        return ""
    years = [f"year {number} {format_cents(year)}" for number, year in enumerate(cell.years, 1)]
    return f"By years: {', '.join(years)}."


def _describe_alignment(cell: MatrixCell, line: SourcingQuoteLine | None) -> str:
    if line is not None and line.alignment_reason is not None:
        return line.alignment_reason
    score = "" if line is None or line.confidence is None else f", {line.confidence * 100:.0f} % alike"
    return _ALIGNMENTS.get(cell.alignment, "").format(score)
