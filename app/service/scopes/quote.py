"""The quote behind a scope: its lines, and how much of its money an estimate covers.

A scope read from a document has that document behind it; a scope that follows it keeps the quote, with its
lines as they were confirmed (`StoredScope.document_scope_id`, `StoredScope.quote_lines`). Pure.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field, PlainSerializer

from app.contract.money import format_count
from app.contract.scope import LineRole, find_stated_price
from app.service.documents.extraction import NoticeUnit
from app.service.scopes.terms import StoredProductTerm
from app.service.stored_record import OMITTED, StoredRecord

ZERO = Decimal(0)
NO_CURRENCY = "The quote names no currency; say which it is."
GIVES_BACK = "The total is negative: the document gives money back, and its total is no price."


@dataclass(frozen=True, slots=True)
class QuoteLine(StoredRecord):
    """A line of a quote. `amount` is before tax, for the whole term; `amount_with_tax` stands instead of it
    where it holds a tax of an unknown rate; `term` is the position of its product
    term in the scope, None for a line of no product and for one left aside; `recurring` is None where
    unknown. `is_part_unproved` says that it may be for another part of the term than it was read for."""

    index: int
    description: str
    role: LineRole
    amount: Decimal | None = None
    recurring: bool | None = None
    term: int | None = None
    amount_with_tax: Decimal | None = None
    is_part_unproved: bool = False

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict()


@dataclass(frozen=True, slots=True)
class QuoteClauses(StoredRecord):
    """What the quote says about later years and payment. `uplift_percent` is by how much the price rises at
    renewal; where `uplift_is_cap`, by how much at most. `notice_days` counts a month as 30 days;
    `notice_unit` is the unit that the quote states, None where it is not known."""

    uplift_percent: Annotated[
        Decimal | None,
        Field(alias="renewalUpliftPercent"),
        PlainSerializer(lambda percent: f"{percent.normalize():f}", when_used="unless-none"),
        OMITTED,
    ] = None
    uplift_is_cap: Annotated[
        bool, Field(alias="renewalUpliftIsCap", exclude_if=lambda is_cap: not is_cap)
    ] = False
    auto_renew: Annotated[bool | None, OMITTED] = None
    notice_days: Annotated[int | None, OMITTED] = None
    notice_unit: Annotated[NoticeUnit | None, OMITTED] = None
    payment_terms_days: Annotated[int | None, OMITTED] = None
    billing: Annotated[str | None, OMITTED] = None


@dataclass(frozen=True, slots=True)
class ScopeQuote:
    """The quote behind a scope. `net_total` is before tax, for everything on the quote and the whole term;
    `corrected_total` is what a person said it is instead, None where nobody did. `minimum` is the least that
    is paid for the whole term: what the total has beyond the lines is then paid for them.
    `doubts` are sentences about what somebody has to say first: until then no price of it can be judged.
    `is_term_assumed` says that it does not say for how long its prices are, and nobody has yet."""

    scope_id: str
    filename: str
    sha256: str | None
    kind: str
    currency: str
    lines: Sequence[QuoteLine]
    net_total: Decimal | None = None
    corrected_total: Decimal | None = None
    minimum: Decimal | None = None
    supplier: str | None = None
    number: str | None = None
    dated: date | None = None
    valid_until: date | None = None
    clauses: QuoteClauses = QuoteClauses()
    doubts: Sequence[str] = ()
    is_term_assumed: bool = False

    @property
    def total(self) -> Decimal | None:
        """What it states that everything costs, before tax; None where only its lines do."""
        return self.net_total if self.corrected_total is None else self.corrected_total

    @property
    def asked(self) -> Decimal | None:
        """The same; the sum of its lines where it states none and each has an amount."""
        return add_amounts(self.lines) if self.total is None else self.total

    @property
    def gives_back(self) -> bool:
        """Whether its lines come to less than nothing, and no total says otherwise."""
        return self.total is None and sum((line.amount or ZERO for line in self.lines), ZERO) < 0


def add_amounts(lines: Sequence[QuoteLine]) -> Decimal | None:
    """Return what lines cost together; None without any, and where one has no amount."""
    amounts = [line.amount for line in lines if line.amount is not None]
    return sum(amounts, ZERO) if amounts and len(amounts) == len(lines) else None


@dataclass(frozen=True, slots=True)
class QuoteCoverage:
    """How much of a quote's money an estimate covers. `share` is 0 to 1, None where the quote states no
    money. `uncovered` are the lines that cost and are not covered, `unpriced` those that are covered and have
    no amount."""

    share: Decimal | None
    covered: Decimal
    quoted: Decimal
    lines: int
    covered_lines: int
    uncovered: Sequence[QuoteLine] = ()
    unpriced: Sequence[QuoteLine] = ()


def format_share(share: Decimal) -> str:
    """`92 %`: never 100 where something is left out, and never 0 where something is covered."""
    rounded = min(round(100 * share), 99) if share < 1 else round(100 * share)
    return "less than 1 %" if not rounded and share > 0 else f"{rounded} %"


def describe_coverage(cover: QuoteCoverage) -> str:
    """Such as “The estimate covers 9 % of this quote (1 of 2 lines).”"""
    counted = f"{cover.covered_lines} of {format_count(cover.lines, 'line')}"
    share = None if cover.share is None else f"{format_share(cover.share)} of this quote ({counted})"
    return f"The estimate covers {share or counted}."


def compute_coverage(quote: ScopeQuote, priced_terms: Collection[int]) -> QuoteCoverage:
    """Compute the coverage of a quote whose product terms at `priced_terms` have an estimate. A credit counts
    as no line; the whole is the quote's total, or the sum of its lines where that is more."""
    costing = [line for line in quote.lines if line.amount is None or line.amount > 0]
    covered = [line for line in costing if line.role == "product" and line.term in priced_terms]
    money = sum((line.amount or ZERO for line in covered), ZERO)
    summed = sum((line.amount or ZERO for line in quote.lines), ZERO)
    whole = max(quote.net_total or ZERO, summed, money)
    if quote.minimum is not None and summed > 0:
        money *= whole / summed
    unpriced = [line for line in covered if line.amount is None]
    return QuoteCoverage(
        share=None if unpriced or whole <= 0 else money / whole,
        covered=money,
        quoted=whole,
        lines=len(costing),
        covered_lines=len(covered),
        uncovered=[line for line in costing if line not in covered],
        unpriced=unpriced,
    )


def follow_corrections(
    net_total: Decimal | None,
    read: Sequence[QuoteLine] | None,
    corrected: Sequence[QuoteLine],
    minimum: Decimal | None = None,
) -> Decimal | None:
    """Return the total of a quote after its lines were corrected, from the one that was read with the lines
    `read`; None for those of older scopes, which are not known. Where the corrected lines add up to the
    total, only their reading was wrong and it stands; else it changes by what they change. A line that was
    not in it, such as an optional one that is bought, adds its whole amount; one that was in it without an
    amount of its own adds nothing. It is never less than the `minimum` for the whole term."""
    if minimum is not None and net_total is not None and read is not None:
        lines_alone = min(net_total, sum((line.amount or ZERO for line in read), ZERO))
        followed = follow_corrections(lines_alone, read, corrected)
        return None if followed is None else max(followed, minimum)
    if net_total is None or read is None or net_total == sum(line.amount or ZERO for line in corrected):
        return net_total
    read_amounts = {line.index: line.amount for line in read}
    for line in corrected:
        before = read_amounts.get(line.index, ZERO)
        if line.amount is None and before:
            return None  # it is for something else by now
        if line.amount is not None and before is not None:
            net_total += line.amount - before
    return net_total


def carry_over_lines(
    lines: Sequence[QuoteLine],
    before: Sequence[tuple[StoredProductTerm, int]],
    now: Sequence[tuple[StoredProductTerm, int]],
) -> list[QuoteLine]:
    """Carry the lines of a quote over to a scope that follows. `before` are the earlier scope's terms, `now`
    those of the new one, in order, each with the months that it is bought for. A line goes to the next term
    of its product; without such a term it is left aside. The price that a term states is that of its lines;
    without one theirs stands where it is for the same, and else it is not known."""
    places: dict[str, list[int]] = {}
    for at, (term, _) in enumerate(now):
        places.setdefault(term.product_id, []).append(at)
    followed: list[QuoteLine] = []
    lines_of: dict[int, list[int]] = {}
    for line in lines:
        if line.term is None:
            followed.append(line)
            continue
        bought, months = before[line.term]
        there = places.get(bought.product_id, [])
        if not there:
            followed.append(replace(line, role="left_aside", term=None))
            continue
        # The last term of a product gets all remaining lines.
        at = there.pop(0) if len(there) > 1 else there[0]
        lines_of.setdefault(at, []).append(len(followed))
        same = bought.buys_as(now[at][0]) and (months == now[at][1] or line.recurring is False)
        if not same and find_stated_price(now[at][0]) is None:
            line = replace(line, amount=None, amount_with_tax=None)
        followed.append(replace(line, term=at))
    for at, own in lines_of.items():
        price = find_stated_price(now[at][0])
        if price is not None and sum((followed[one].amount or ZERO for one in own), ZERO) != price:
            for one in own:
                amount = price if one == own[0] else ZERO
                followed[one] = replace(followed[one], amount=amount, amount_with_tax=None)
    return followed
