"""What the evidence of a requirement says, in sections of sentences and tables. Pure."""

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from app.contract.dates import format_day
from app.contract.money import format_count, format_unit_price
from app.contract.sourcing import (
    NO_AWARD_FOUND,
    PERIODS,
    Matrix,
    MatrixCell,
    MatrixLine,
    MatrixQuote,
    MatrixTotal,
    Scenario,
    SourcingQuote,
)

STATUSES = {
    "optimal": "proven: no award that keeps to this costs less",
    "gap": "the best that was found; not proven",
    "infeasible": "no award keeps to all of this",
    "solving": "still being solved",
}
_STATUSES_OF_OBJECTIVES = {
    ("by_hand", "optimal"): "proven: no other award costs less",
    ("by_hand", "gap"): "an award by hand; that it is the cheapest is not proven",
    ("by_hand", "infeasible"): "this award breaks a rule",
    ("earliest", "optimal"): "proven: no award is delivered sooner, and none as soon costs less",
}
OBJECTIVES = {
    "cheapest_split": "Cheapest split",
    "cheapest_single": "Cheapest single supplier",
    "by_hand": "As awarded by hand",
    "earliest": "Earliest delivery",
}
_SUPPLIERS_ON_A_PAGE = 4
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a requirement's evidence is made from, as of `made_at`: of its scenarios the latest."""

    matrix: Matrix
    quotes: Sequence[SourcingQuote]
    scenarios: Sequence[Scenario]
    scenarios_left_out: int
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts. The columns at the places in `figures` hold amounts."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the document: sentences, then tables."""

    title: str
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = field(default_factory=tuple[Table, ...])


def clean_text(text: str) -> str:
    """Return a text of others without control characters and marks that turn the direction of a line."""
    kept = "".join(" " if unicodedata.category(one) in _UNSEEN else one for one in text)
    return " ".join(kept.split())


def format_amount(amount: Decimal | None) -> str:
    """Return an amount to the cent, or that it is not known."""
    return "not known" if amount is None else f"{amount:,.2f}"


def chosen_cells(line: MatrixLine) -> dict[str, MatrixCell]:
    """Return the cell of each quote that counts in its total: its cheapest comparable one."""
    chosen: dict[str, MatrixCell] = {}
    for cell in line.cells:
        if cell.comparable and cell.quote_id not in chosen:
            chosen[cell.quote_id] = cell
    return chosen


def list_sections(evidence: Evidence) -> list[Section]:
    return [
        _describe_requirement(evidence),
        _describe_decision(evidence),
        _describe_quotes(evidence),
        *_describe_table(evidence),
        _describe_market(evidence),
        _describe_scenarios(evidence),
    ]


def _describe_requirement(evidence: Evidence) -> Section:
    needed = evidence.matrix.requirement
    facts = [
        f"Amounts are in {needed.currency}, before tax, for {format_count(needed.term_months, 'month')}.",
        f"Needed by {format_day(needed.needed_by)}." if needed.needed_by else "",
        f"Stated on {_name_day(needed.created_at)}.",
    ]
    rows = [
        (
            str(number),
            clean_text(line.description),
            f"{line.quantity:f}",
            clean_text(line.unit or ""),
            "must be had" if line.must_have else "may stay open",
        )
        for number, line in enumerate(needed.lines, 1)
    ]
    headings = ("No", "What is needed", "Quantity", "Unit", "Kind")
    return Section("Requirement", [one for one in facts if one], [Table(headings, rows, frozenset({2}))])


def _describe_decision(evidence: Evidence) -> Section:
    award, currency = evidence.matrix.requirement.award, evidence.matrix.requirement.currency
    if award is None:
        return Section("Decision", ["Nothing has been awarded."])
    who = clean_text(award.decided_by or "") or "somebody who is not named"
    rows = [
        (
            clean_text(one.supplier_name),
            str(len(one.quote_lines)),
            format_amount(one.discount),
            format_amount(one.amount),
            " ".join(map(clean_text, one.notes)),
        )
        for one in award.quotes
    ]
    sentences = [
        f"Awarded for {currency} {format_amount(award.total)} on {_name_day(award.decided_at)} by {who}.",
        f"Reason: {clean_text(award.reason)}",
    ]
    headings = ("Supplier", "Lines", "Discount", "Amount", "Not known")
    return Section("Decision", sentences, [Table(headings, rows, frozenset({1, 2, 3}))])


def _describe_quotes(evidence: Evidence) -> Section:
    if not evidence.matrix.quotes:
        return Section("Quotes", ["No quote answers the requirement."])
    stated = {one.id: one for one in evidence.quotes}
    rows = [
        (
            clean_text(column.supplier_name),
            describe_validity(column),
            describe_rate(column, evidence.matrix.requirement.currency),
            " ".join(describe_terms(stated.get(column.quote_id))),
            " ".join(map(clean_text, column.notes)),
        )
        for column in evidence.matrix.quotes
    ]
    return Section("Quotes", (), [Table(("Supplier", "Valid", "Currency", "Terms", "Notes"), rows)])


def describe_validity(column: MatrixQuote) -> str:
    if column.valid_until is None:
        return "no day stated"
    word = "expired on" if column.expired else "until"
    return f"{word} {format_day(column.valid_until)}"


def describe_rate(column: MatrixQuote, currency: str) -> str:
    if column.currency == currency or not column.currency_stated:
        return column.shown_currency
    if column.rate is None or column.rate_date is None:
        return f"{column.currency}; there is no rate to {currency}"
    day = format_day(column.rate_date)
    return f"{column.currency} 1 = {currency} {column.rate.normalize():f}, rate of {day}"


def describe_terms(quote: SourcingQuote | None) -> Iterator[str]:
    """Yield the terms of a quote, in sentences."""
    if quote is None:
        return
    if quote.payment_terms_days is not None:
        yield f"Paid within {format_count(quote.payment_terms_days, 'day')}."
    if quote.lead_time_days is not None:
        yield f"Delivered within {format_count(quote.lead_time_days, 'day')}."
    if quote.minimum_order:
        yield f"Orders from {quote.shown_currency} {format_amount(quote.minimum_order)} on."
    for one in quote.discounts or ():
        least = f"{quote.shown_currency} {format_amount(one.from_amount)}"
        yield f"{one.percent.normalize():f} % off from {least} on."


def _describe_table(evidence: Evidence) -> Iterator[Section]:
    """Yield the table of quotes, some suppliers at a time so that a page holds them."""
    quotes, stepped = evidence.matrix.quotes, list_stepped_lines(evidence)
    for start in range(0, len(quotes), _SUPPLIERS_ON_A_PAGE):
        some = quotes[start : start + _SUPPLIERS_ON_A_PAGE]
        part = f", suppliers {start + 1} to {start + len(some)}" if len(quotes) > len(some) else ""
        rows = [
            (
                str(number),
                clean_text(line.line.description),
                *(describe_cells(line, one, stepped) for one in some),
            )
            for number, line in enumerate(evidence.matrix.lines, 1)
        ]
        rows += [("", name, *sums) for name, sums in _list_sums(some)]
        headings = ("No", "Line", *(clean_text(one.supplier_name) for one in some))
        sentences = [clean_text(evidence.matrix.ranking), evidence.matrix.statement] if start == 0 else []
        figures = frozenset(range(2, 2 + len(some)))
        yield Section(f"Table of quotes{part}", sentences, [Table(headings, rows, figures)])


def _list_sums(quotes: Sequence[MatrixQuote]) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of sums: their names, and what stands in the column of each quote."""
    for name, sums in (
        ("One-off", [one.once for one in quotes]),
        ("Recurring or for the term", [one.recurring for one in quotes]),
        ("Volume discount", [-one.discount for one in quotes]),
    ):
        yield (
            name,
            [
                format_amount(amount) if one.lines_answered else "nothing compared"
                for one, amount in zip(quotes, sums, strict=True)
            ],
        )
    must_haves = [one.must_haves for one in quotes if one.must_haves is not None]
    if must_haves:
        yield "Must-have lines", [describe_total(one) for one in must_haves]
    yield "Whole term", [describe_total(one.whole_term) for one in quotes]


def describe_total(total: MatrixTotal) -> str:
    """Return a total, of how many lines it is where that is not all, and how it compares."""
    if total.amount is None:
        return "nothing compared"
    return f"{format_amount(total.amount)} ({describe_coverage(total)})"


def describe_coverage(total: MatrixTotal) -> str:
    """Return of how many lines a total is where that is not all, and its place among the others."""
    if total.lines < total.of_lines:
        return f"{total.lines} of {format_count(total.of_lines, 'line')}; not ranked"
    return "not ranked" if total.rank is None else f"number {total.rank}"


def list_stepped_lines(evidence: Evidence) -> frozenset[str]:
    """Return the ids of the lines of quotes whose price depends on the quantity."""
    return frozenset(line.id for quote in evidence.quotes for line in quote.lines if line.breaks)


def describe_cells(line: MatrixLine, quote: MatrixQuote, stepped: Collection[str]) -> str:
    """Return what a quote asks for a line, or that it asks nothing that anybody knows of. `stepped` has the
    lines of quotes with price breaks."""
    cells = [one for one in line.cells if one.quote_id == quote.quote_id]
    if not cells:
        return "nothing matched" if quote.unaligned else "not quoted"
    return " / ".join(
        describe_cell(one, quote.shown_currency, has_breaks=one.quote_line_id in stepped) for one in cells
    )


def describe_cell(cell: MatrixCell, currency: str, *, has_breaks: bool) -> str:
    """Return an amount with its unit price, and why it is not compared."""
    period = PERIODS.get(cell.recurring, cell.recurring)
    price = f"{format_unit_price(cell.unit_price, currency)} {period}"
    price += " before price breaks" if has_breaks else ""
    lowest = ", lowest" if cell.lowest else ""
    reason = "" if cell.comparable else f"; not compared: {clean_text(cell.reason or '')}"
    return f"{format_amount(cell.amount)} ({price}{lowest}{reason})"


def _describe_market(evidence: Evidence) -> Section:
    rows: list[Sequence[str]] = []
    for number, line in enumerate(evidence.matrix.lines, 1):
        market = line.market
        if market is None:
            continue
        known = market.median is not None
        rows.append(
            (
                str(number),
                clean_text(line.line.description),
                clean_text(market.product_name or ""),
                format_amount(market.percentile25) if known else "",
                format_amount(market.median),
                format_amount(market.percentile75) if known else "",
                clean_text(market.statement),
            )
        )
    headings = ("No", "Line", "Product", "A quarter paid less than", "Half paid less than")
    headings = (*headings, "Three quarters paid less than", "What it rests on")
    sentences = ["What comparable purchases say that each line costs, for its quantity and the whole term."]
    return Section("Market", sentences, [Table(headings, rows, frozenset({3, 4, 5}))])


def _describe_scenarios(evidence: Evidence) -> Section:
    if not evidence.scenarios:
        return Section("Scenarios", ["No award was computed."])
    lines = {one.id: clean_text(one.description) for one in evidence.matrix.requirement.lines}
    rows = [
        (
            OBJECTIVES.get(one.objective, one.objective),
            _describe_status(one),
            format_amount(one.total) if one.total is not None else "none",
            format_amount(one.bound) if one.bound is not None else "none",
            f"{one.gap.normalize():f} %" if one.gap is not None else "",
            " ".join(_describe_scenario(one, lines, evidence.matrix.requirement.currency)),
        )
        for one in evidence.scenarios
    ]
    headings = (
        "Objective",
        "Status",
        "Total",
        "No award is below",
        "Gap",
        "What it says",
    )
    left_out = evidence.scenarios_left_out
    sentences = [f"The latest of them; {left_out} earlier ones are left out."] if left_out else []
    return Section("Scenarios", sentences, [Table(headings, rows, frozenset({2, 3, 4}))])


def _describe_status(one: Scenario) -> str:
    if one.status == "gap" and one.total is None:
        return NO_AWARD_FOUND
    return _STATUSES_OF_OBJECTIVES.get((one.objective, one.status)) or STATUSES.get(one.status, one.status)


def _describe_scenario(one: Scenario, lines: dict[str, str], currency: str) -> Iterator[str]:
    yield f"Made on {_name_day(one.created_at)}."
    if one.outdated:
        yield f"Since then: {' '.join(map(clean_text, one.outdated))}"
    shares: dict[str, tuple[int, Decimal]] = {}
    for awarded in one.award:
        count, amount = shares.get(awarded.supplier_name, (0, Decimal(0)))
        shares[awarded.supplier_name] = count + 1, amount + awarded.amount
    for name, (count, amount) in shares.items():
        yield f"{clean_text(name)}: lines {count}, {currency} {format_amount(amount)} before discounts."
    if one.open_lines:
        yield f"Open: {'; '.join(lines.get(each, each) for each in one.open_lines)}."
    if (single := one.single_supplier) is not None and single.saving is not None:
        proof = "" if single.proven else ", as far as is known"
        alone = f"{clean_text(single.supplier_name or '')} alone for {format_amount(single.total)}"
        yield f"Saves {currency} {format_amount(single.saving)} against {alone}{proof}."
    for cost in one.costs:
        what = "more lines would be covered" if cost.amount is None else f"costs {format_amount(cost.amount)}"
        yield f"{clean_text(cost.constraint)}: {what}{'' if cost.proven else ' (not proven)'}."
    if one.contradiction:
        yield f"These contradict each other: {'; '.join(map(clean_text, one.contradiction))}."
    for each in one.excluded:
        yield f"Left out: {clean_text(each.what)}. {clean_text(each.why)}"
    yield from map(clean_text, one.assumptions)


def _name_day(moment: datetime | None) -> str:
    return "a day that is not known" if moment is None else f"{format_day(moment.date())} (UTC)"
