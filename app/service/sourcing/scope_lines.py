"""What a scope, and the document behind it, say as a quote or as what is needed. Pure.

What cannot stand in the table of a requirement is left out and said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from app.contract.money import format_exact_money
from app.contract.price_steps import MAX_STEPS, PriceBreak, VolumeDiscount
from app.contract.scope import find_stated_price
from app.contract.sourcing import (
    MAX_LINES,
    NewRequirementLine,
    NewSourcingQuoteLine,
    Recurrence,
    SourcingQuote,
)
from app.contract.sourcing_changes import ChangedQuoteLine
from app.service.catalog.names import shorten
from app.service.charges.charge import MONTHS_PER, convert_price
from app.service.charges.months import MONTHS_PER_YEAR
from app.service.charges.schedule import list_years
from app.service.scopes.quote import QuoteLine
from app.service.scopes.quote_store import list_warnings
from app.service.scopes.store import ScopeProduct, StoredScope, count_line
from app.service.scopes.stored_reading import StoredReading, read_price_before_tax
from app.service.scopes.terms import StoredProductTerm, find_quantity
from app.service.scopes.units import find_period
from app.service.values.rounding import CENT, round_to_cents

_MOST_TEXT = 2_000
_SHOWN_TEXT, _SHOWN_CHANGE = 100, 60
_NO_TEXT = "A line without a text"
_MOST_DECIMALS = 12
_ALMOST_ALL = Decimal("0.999")
"""Which part of a quote is all of it: converted to another currency, its lines are each rounded."""


@dataclass(frozen=True, slots=True)
class PriceStep:
    """The price of a unit from a quantity on, up to another one where that is stated."""

    price: Decimal
    start: Decimal
    end: Decimal | None


@dataclass(frozen=True, slots=True)
class ScopeLine:
    """A line of a scope, by its place. `quantity` is 1 where a document prices it as a whole. `amount` is
    before tax unless `tax_included`, for the scope's whole term; `steps` stand instead of it where the price
    depends on the quantity, for a period of `step_months`.
    `index` is the line's place in the document, with the page and box where it stands."""

    place: int
    description: str
    quantity: Decimal
    unit: str | None
    product_id: str | None
    amount: Decimal | None
    recurring: bool | None
    index: int | None = None
    page: int | None = None
    box: Sequence[float] | None = None
    tax_included: bool = False
    steps: Sequence[PriceStep] = ()
    step_months: int | None = None

    @property
    def has_price(self) -> bool:
        return bool(self.steps) or (self.amount is not None and self.amount >= 0)


@dataclass(frozen=True, slots=True)
class QuotedScope:
    """A scope as a quote, that of a document or described by a person. It is for so many `months`, which were
    assumed unless it `states_term`, as its currency was unless it `states_currency`; `total` is what it asks
    for everything, None where only its lines say it; `warnings` say what is not in the lines."""

    title: str
    of_document: bool
    supplier_name: str | None
    company_id: str | None
    currency: str
    states_currency: bool
    months: int
    states_term: bool
    lines: Sequence[ScopeLine]
    valid_until: date | None
    payment_terms_days: int | None
    warnings: Sequence[str]
    total: Decimal | None = None

    @property
    def beyond_lines(self) -> Decimal:
        """What its total has beyond its lines, credits among them; below 0 what it lacks, 0 where the lines
        are not all known and where it is but for their rounding."""
        amounts = [line.amount for line in self.lines if line.amount is not None and not line.tax_included]
        if self.total is None or len(amounts) < len(self.lines):
            return Decimal(0)
        difference = self.total - sum(amounts, Decimal(0))
        return difference if abs(difference) > CENT * len(amounts) else Decimal(0)


def read_scope(
    scope: StoredScope,
    reading: StoredReading | None,
    products: Mapping[str, ScopeProduct],
    total: Decimal | None = None,
) -> QuotedScope:
    """Return what a scope says; `reading` is that of the document behind it, `products` are those of its
    terms, `total` is what it asks for everything."""
    read: Mapping[str, Any] = reading or {}
    # Who confirms a quote says its currency and its term.
    is_confirmed = scope.id != scope.document_scope_id
    states_currency = "currency" in read or (is_confirmed and scope.stated_currency is not None)
    states_term = read.get("term_months") if not is_confirmed else scope.stated_months
    uncounted: list[str] = []
    if scope.quote_lines:
        lines = _join_steps(
            [_read_line(place, scope, line, read, products) for place, line in enumerate(scope.quote_lines)]
        )
    else:
        terms = [term for term in scope.product_terms if term.product_id in products]
        read_lines = [_read_term(place, term, products[term.product_id]) for place, term in enumerate(terms)]
        lines = [line for line in read_lines if line is not None]
        uncounted = [
            f"“{products[term.product_id].name[:_SHOWN_TEXT]}” does not say how many are bought, so it is not"
            " among the lines."
            for term, line in zip(terms, read_lines, strict=True)
            if line is None
        ]
    supplier: str | None = scope.supplier_name or read.get("supplier")
    valid_until: str | None = read.get("valid_until")
    value = read.get("payment_terms_days")
    return QuotedScope(
        title=scope.title,
        of_document=reading is not None,
        supplier_name=supplier and supplier[:500],
        company_id=scope.company_id,
        currency=scope.currency,
        states_currency=states_currency,
        months=scope.months,
        states_term=states_term is not None,
        lines=lines,
        valid_until=None if valid_until is None else date.fromisoformat(valid_until),
        payment_terms_days=(value if value is not None and 0 <= value <= 3650 else None),
        warnings=[
            *(list_warnings(reading, scope) if reading else ()),
            *uncounted,
            *_list_left_out(lines),
            *_list_options(scope, read),
        ],
        total=total,
    )


def quote_lines(quoted: QuotedScope, term_months: int) -> list[tuple[ScopeLine, NewSourcingQuoteLine]]:
    """Return the lines that state a price, each with its price of a unit for a requirement of so many
    months."""
    is_another = quoted.states_term and quoted.months not in (0, term_months)
    stated = quoted.months if is_another else None
    return [
        (line, _price_steps(line, stated) if line.steps else _price_line(line, quoted, term_months, stated))
        for line in quoted.lines[:MAX_LINES]
        if line.has_price
    ]


_TAKEN = {*ChangedQuoteLine.model_fields} - {"id", "bundle_id"}
"""What a line of a quote takes from its scope, and a person may correct."""


def list_changed_lines(quote: SourcingQuote, quoted: QuotedScope, term_months: int) -> list[int]:
    """Return the places of the lines that do not ask what the scope does that a quote was taken from, for a
    requirement of so many months."""
    taken = (line for _, line in quote_lines(quoted, term_months))
    stated, read = (
        [one.model_dump(mode="json", include=_TAKEN) for one in lines] for lines in (quote.lines, taken)
    )
    return [at for at, (one, other) in enumerate(zip_longest(stated, read)) if one != other]


def asks_the_same(quote: SourcingQuote, quoted: QuotedScope, term_months: int) -> bool:
    """Whether a quote asks what the scope that it was taken from does."""
    discount = find_discount(quoted, term_months)
    return (
        quote.currency == quoted.currency
        and [one.wire() for one in quote.discounts or ()] == ([] if discount is None else [discount.wire()])
        and not list_changed_lines(quote, quoted, term_months)
    )


def find_discount(quoted: QuotedScope, term_months: int) -> VolumeDiscount | None:
    """Return what the credits of a quote, and a total below its lines, take off as a discount on the whole,
    which is given where all of it is ordered; None without any, and where nobody knows what they are for the
    term of the requirement."""
    priced = quote_lines(quoted, term_months)
    off = -sum(
        (line.amount for line in quoted.lines if line.amount is not None and line.amount < 0),
        min(quoted.beyond_lines, Decimal(0)),
    )
    whole = sum((line.amount or Decimal(0) for line, _ in priced), Decimal(0))
    is_clear = all(
        one.recurring in ("once", "term")
        and one.term_months is None
        and not one.tax_included
        and not line.steps
        for line, one in priced
    )
    if not 0 < off <= whole or not is_clear:
        return None
    return VolumeDiscount(from_amount=round_to_cents(whole * _ALMOST_ALL), percent=_find_percent(off, whole))


def _find_percent(off: Decimal, whole: Decimal) -> Decimal:
    """The per cent with the fewest decimals that take so much off."""
    exact = off * 100 / whole
    rounded = (round(exact, decimals) for decimals in range(_MOST_DECIMALS))
    return next((one for one in rounded if round_to_cents(whole * one / 100) == round_to_cents(off)), exact)


def list_needs(quoted: QuotedScope) -> list[tuple[ScopeLine, NewRequirementLine]]:
    """Return what is needed, each with the line that says so; a credit is nothing that is needed."""
    return [
        (
            line,
            NewRequirementLine(
                description=line.description,
                quantity=line.quantity,
                unit=line.unit,
                product_id=line.product_id,
            ),
        )
        for line in quoted.lines
        if line.amount is None or line.has_price
    ]


def name_needs(quoted: QuotedScope, needs: Sequence[NewRequirementLine]) -> str:
    """Return a name for what is needed. A document's own names one supplier, and others will answer too."""
    if not quoted.of_document:
        return quoted.title[:500]
    first, *others = (need.description for need in needs)
    return shorten(first, _SHOWN_TEXT) + (f" and {len(others):,} more" if others else "")


def warn_of_quote(quoted: QuotedScope, term_months: int, quote: SourcingQuote | None = None) -> list[str]:
    """Say what a quote asks beyond its lines, of how many prices nobody knows for which term they are, and
    what of the `quote` that was made of it was changed by hand."""
    total, beyond, warnings = quoted.total, quoted.beyond_lines, list[str]()
    if total is not None and beyond and (beyond > 0 or find_discount(quoted, term_months) is None):
        side = "more" if beyond > 0 else "less"
        asked, rest = (format_exact_money(abs(one), quoted.currency) for one in (total, beyond))
        warnings.append(
            f"It asks {asked} for everything, {rest} {side} than its lines come to: that is in none of"
            " its amounts."
        )
    changed: list[int] = [] if quote is None else list_changed_lines(quote, quoted, term_months)
    priced = [line for line, _ in quote_lines(quoted, term_months)]
    unclear = sum(line.recurring is None and at not in changed for at, line in enumerate(priced))
    if unclear and not quoted.states_term and quoted.months not in (0, term_months):
        warnings.append(
            f"The quote states no term and {term_months} months are needed; of {unclear} of its lines nobody"
            " knows whether they are paid again, so their amounts are taken as they are."
        )
    if quote is not None and quoted.states_currency and quote.currency != quoted.currency:
        warnings.append(f"It was in {quoted.currency}; the currency was changed by hand.")
    warnings += [
        f"“{priced[at].description[:_SHOWN_CHANGE]}” was changed by hand: its document says otherwise."
        for at in changed
        if quoted.of_document and at < len(priced)
    ]
    return warnings


def _read_line(
    place: int,
    scope: StoredScope,
    line: QuoteLine,
    reading: Mapping[str, Any],
    products: Mapping[str, ScopeProduct],
) -> ScopeLine:
    item = _find(reading.get("line_items"), line.index)
    evidence: Mapping[str, Any] = reading.get("evidence") or {}
    seen = _find(evidence.get("line_items"), line.index)
    shown: Mapping[str, Any] = seen.get("description") or (next(iter(seen.values())) if seen else {})
    counted = count_line(scope.product_terms[line.term] if line.term is not None else None, products, item)
    amount = line.amount if line.amount_with_tax is None else line.amount_with_tax
    start, end = item.get("from_quantity"), item.get("to_quantity")
    price = read_price_before_tax(item)
    with_tax = price is None and bool(item.get("tax_included"))
    if with_tax:
        price = read_price_before_tax({**item, "tax_included": False})
    stepped = start is not None and price is not None and amount is None
    return ScopeLine(
        place=place,
        description=line.description[:_MOST_TEXT] or _NO_TEXT,
        quantity=counted.quantity if counted.quantity and counted.quantity > 0 else Decimal(1),
        unit=counted.unit,
        product_id=None if line.term is None else scope.product_terms[line.term].product_id,
        amount=amount,
        recurring=line.recurring,
        index=line.index,
        page=shown.get("page"),
        box=shown.get("box"),
        tax_included=line.amount_with_tax is not None or (stepped and with_tax),
        steps=[PriceStep(price, Decimal(str(start)), None if end is None else Decimal(str(end)))]
        if stepped and price is not None
        else (),
        step_months=item.get("period_months"),
    )


def _join_steps(lines: Sequence[ScopeLine]) -> list[ScopeLine]:
    """The lines, where those that state the price of one thing from several quantities on are one."""
    joined: list[ScopeLine] = []
    for line in lines:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.steps
            and line.steps
            and before.description == line.description
            and before.steps[-1].start < line.steps[0].start
        ):
            joined[-1] = replace(before, steps=[*before.steps, *line.steps])
        else:
            joined.append(line)
    return joined


def _read_term(place: int, term: StoredProductTerm, known: ScopeProduct) -> ScopeLine | None:
    """A product of a scope that was made by hand; None where it does not say how many are bought."""
    quantity = find_quantity(term, known.quantity_dimension_id)
    if quantity is None:
        return None
    name = known.name[:_MOST_TEXT] or _NO_TEXT
    return ScopeLine(place, name, quantity, None, known.id, find_stated_price(term), None)


def _price_line(
    line: ScopeLine, quoted: QuotedScope, term_months: int, stated_months: int | None
) -> NewSourcingQuoteLine:
    price = (line.amount or Decimal(0)) / line.quantity
    recurring = _name_period(line, quoted.months, term_months)
    if recurring in MONTHS_PER:
        price = convert_price(price, quoted.months, MONTHS_PER[recurring])
    return NewSourcingQuoteLine(
        description=line.description,
        quantity=line.quantity,
        unit=line.unit,
        unit_price=price,
        tax_included=line.tax_included or None,
        recurring=recurring,
        term_months=stated_months if recurring == "term" else None,
    )


def _price_steps(line: ScopeLine, stated_months: int | None) -> NewSourcingQuoteLine:
    """The price of the lowest step, and the others as price breaks."""
    first = line.steps[0]
    # A step from one unit on is the price itself, where there are others.
    above = line.steps[1:] if first.start <= 1 and len(line.steps) > 1 else line.steps
    period = {1: "month", 12: "year"}.get(line.step_months or 0) or find_period(line.unit)
    recurring: Recurrence = "once" if line.recurring is False else "term"
    if period is not None:
        recurring = "month" if period == "month" else "year"
    return NewSourcingQuoteLine(
        description=line.description,
        quantity=first.start,
        unit=line.unit,
        unit_price=first.price,
        tax_included=line.tax_included or None,
        recurring=recurring,
        term_months=stated_months if recurring == "term" else None,
        breaks=[PriceBreak(from_quantity=one.start, unit_price=one.price) for one in above[:MAX_STEPS]],
        minimum_quantity=first.start if first.start > 1 else None,
        maximum_quantity=line.steps[-1].end,
    )


def _name_period(line: ScopeLine, quoted_months: int, term_months: int) -> Recurrence:
    """What the price covers. One that is paid again is stated by year or month where the terms differ."""
    if line.recurring is False:
        return "once"
    if line.recurring is None or quoted_months in (0, term_months):
        return "term"
    return "month" if list_years(quoted_months)[-1][1] < MONTHS_PER_YEAR else "year"


def _list_left_out(lines: Sequence[ScopeLine]) -> list[str]:
    said: list[str] = []
    for line in lines:
        text = line.description[:_SHOWN_TEXT]
        if line.has_price:
            continue
        if line.amount is None:
            said.append(f"“{text}” states no amount, so it is not among the lines.")
        elif line.amount < 0:
            said.append(f"“{text}” takes {-line.amount:,} off; a credit is not among the lines.")
    if len(lines) > MAX_LINES:
        said.append(f"A quote has {MAX_LINES} lines at most; {len(lines) - MAX_LINES} more are left out.")
    return said


def _list_options(scope: StoredScope, reading: Mapping[str, Any]) -> list[str]:
    """Say which lines of a document may be bought besides and are not among those of its quote."""
    if not scope.quote_lines:
        return []
    among = {line.index for line in scope.quote_lines}
    return [
        f"“{(item.get('description') or _NO_TEXT)[:_SHOWN_TEXT]}” is optional or an alternative, so it is not"
        " among the lines."
        for index, item in enumerate(reading.get("line_items") or ())
        if item.get("optional") and index not in among
    ]


def _find(rows: Any, index: int) -> Mapping[str, Any]:
    return rows[index] if rows and index < len(rows) else {}
