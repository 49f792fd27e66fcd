"""The cells of the table of quotes, and what each rests on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from app.contract.dates import format_day
from app.contract.money import format_exact_quantity, format_unit_price
from app.contract.price_level import format_next_step, format_price_level
from app.contract.price_steps import PriceBreak
from app.contract.sourcing import (
    PERIODS,
    Matrix,
    MatrixCell,
    MatrixEstimate,
    MatrixLine,
    MatrixQuote,
    MatrixTotal,
    MatrixVerdict,
    RequirementLine,
    SourcingQuote,
    SourcingQuoteLine,
)
from components.formatting import format_count, format_units, number_names, shorten_text
from components.sourcing.quote_table import QuoteCell, QuoteColumn, QuoteRow, Total, TotalRow
from components.sourcing.requirements import STATES


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
            row(
                f"Year {year + 1}",
                _join(f"What is paid in year {year + 1}", before),
                lambda one, year=year: one.years[year] if year < len(one.years) else None,
            )
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


def format_cents(amount: Decimal) -> str:
    """Return an amount to the cent, which stands in a column of one currency: `12,500.00`."""
    return f"{amount:,.2f}".replace("-", "−")


MARKET = "market"
"""Stands for the id of a quote in the market's column."""


def make_market_column(matrix: Matrix) -> Sequence[QuoteColumn]:
    """Return the market's column; none where the service estimates nothing."""
    if all(one.market is None for one in matrix.lines):
        return ()
    known = sum(one.market is not None and one.market.median is not None for one in matrix.lines)
    lines = len(matrix.lines)
    notes = [
        "What half of buyers paid less than, by comparable purchases that you may see, and between which"
        " amounts the middle half of them is.",
        f"{known:,} of {format_count(lines, 'line')} can be estimated; the others say why not.",
        "It is no quote, and no total adds it up.",
    ]
    return (QuoteColumn(MARKET, "Market", f"{known:,} of {format_count(lines, 'line')}", (), notes),)


def make_market_cell(matrix: Matrix, needed: RequirementLine, market: MatrixEstimate) -> QuoteCell:
    """Return what the market says of a line."""
    if (
        market.median is None
        or market.percentile25 is None
        or market.percentile75 is None
        or market.unit_price is None
    ):
        named = f"As {market.product_name}." if market.product_name else ""
        return QuoteCell("market", "not known", "", (), market.statement, [named])
    currency = matrix.requirement.currency
    period = PERIODS.get(market.recurring or "", "")
    return QuoteCell(
        "market",
        format_cents(market.median),
        f"{format_cents(market.percentile25)} to {format_cents(market.percentile75)}",
        (),
        "",
        [
            f"{market.product_name}: half of buyers paid less than {currency} {format_cents(market.median)}"
            f" for {format_units(needed.quantity, needed.unit)} and"
            f" {format_count(matrix.requirement.term_months, 'month')},"
            f" which is {format_unit_price(market.unit_price, currency)} {period} for a unit.",
            f"The middle half paid {currency} {format_cents(market.percentile25)} to"
            f" {format_cents(market.percentile75)}.",
            market.statement,
        ],
    )


def add_verdict(cell: QuoteCell, verdict: MatrixVerdict | None, currency: str) -> QuoteCell:
    """Return the cell of a quote with what the market says of its amount: a mark only where there is a
    verdict, else the reason why there is none. Amounts are in the `currency` of the requirement."""
    if verdict is None:
        return cell
    if verdict.position == "withheld":
        return replace(cell, notes=[*cell.notes, f"No verdict by the market: {verdict.statement}"])
    step = verdict.next_step
    said = (format_next_step(step.action, step.amount, currency) + ".") if step is not None else ""
    return replace(
        cell,
        marks=[*cell.marks, format_price_level(verdict.price_level, verdict.position)],
        notes=[*cell.notes, f"By the market: {verdict.statement} {said}".rstrip()],
    )


_LONGEST_TEXT = 300
_ALIGNMENTS = {
    "confirmed": "Which line it answers was stated.",
    "proposed": "Which line it answers was found by comparing texts{}.",
    "doubtful": "Which line it answers is in doubt{}: say so on the Matching tab.",
}


def name_quotes(columns: Sequence[MatrixQuote]) -> dict[str, str]:
    """Return the name of each quote by its id: that of its supplier, numbered where it has several."""
    names = number_names([shorten_text(" ".join(one.supplier_name.split()), 60) for one in columns])
    return {one.quote_id: name for one, name in zip(columns, names, strict=True)}


def describe_rate(column: MatrixQuote, currency: str) -> str:
    """Return at which rate a quote is converted; nothing where it is in the currency of the requirement."""
    if column.currency == currency or not column.currency_stated:
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
        *([_name_lack(column, f"no {column.currency} rate")] if column.rate is None else []),
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
        f"{one.percent:f} % off from {quote.shown_currency} {format_exact_quantity(one.from_amount)} on."
        for one in quote.discounts or ()
    ]
    if quote.minimum_order:
        amount = format_exact_quantity(quote.minimum_order)
        notes.append(f"It takes orders from {quote.shown_currency} {amount} on.")
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
                format_units(one.line.quantity, one.line.unit),
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
        marks.append(_name_lack(column, "no rate"))
    reason = cell.reason or ""
    if cell.comparable and place > 0:
        reason = "Not in the total: another line of the quote is cheaper."
    price = _format_price(cell, column)
    years = [f"year {number} {format_cents(year)}" for number, year in enumerate(cell.years, 1)]
    return QuoteCell(
        "lowest" if cell.lowest else "compared" if cell.comparable else "not compared",
        "no amount" if cell.amount is None else format_cents(cell.amount),
        price,
        marks,
        "" if marks else reason,
        [
            reason if marks else "",
            *_describe_quoted(column, cell, line),
            f"The amount is in {currency} for {format_units(needed.quantity, needed.unit)} and"
            f" {format_count(matrix.requirement.term_months, 'month')}."
            if cell.amount is not None
            else "",
            f"By years: {', '.join(years)}." if len(years) > 1 else "",
            describe_rate(column, currency),
            _describe_alignment(cell, line),
        ],
    )


def _name_lack(column: MatrixQuote, unrated: str) -> str:
    return unrated if column.currency_stated else "no currency"


def _format_price(cell: MatrixCell, column: MatrixQuote) -> str:
    period = PERIODS.get(cell.recurring, cell.recurring)
    return f"{format_unit_price(cell.unit_price, column.shown_currency)} {period}"


def _describe_quoted(column: MatrixQuote, cell: MatrixCell, line: SourcingQuoteLine | None) -> list[str]:
    price = _format_price(cell, column)
    if line is None:
        return [f"Quoted at {price} for a unit."]
    text = shorten_text(" ".join(line.description.split()), _LONGEST_TEXT)
    notes = [f"Quoted as “{text}”, {format_units(line.quantity, line.unit)} at {price} each."]
    if cell.compared_unit_price is not None:
        compared = format_unit_price(cell.compared_unit_price, column.shown_currency)
        notes.append(f"That is {compared} for one unit of the requirement, before tax.")
    if line.minimum_quantity is not None:
        notes.append(f"It is sold from {format_exact_quantity(line.minimum_quantity)} on.")
    notes += [_describe_break(one, column.shown_currency) for one in line.breaks or ()]
    if line.bundle_id is not None:
        notes.append(f"Part of the bundle {shorten_text(line.bundle_id, 60)}.")
    return notes


def _describe_break(one: PriceBreak, currency: str) -> str:
    units = "all units" if one.kind == "all_units" else "the units from there on"
    price = format_unit_price(one.unit_price, currency)
    return f"From {format_exact_quantity(one.from_quantity)} on: {price} for {units}."


def _describe_alignment(cell: MatrixCell, line: SourcingQuoteLine | None) -> str:
    if line is not None and line.alignment_reason is not None:
        return line.alignment_reason
    score = "" if line is None or line.confidence is None else f", {line.confidence * 100:.0f} % alike"
    return _ALIGNMENTS.get(cell.alignment, "").format(score)
