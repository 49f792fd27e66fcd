"""An offer of the supplier, which of several offers are valid, what a person must decide about one (its
price, its differences from the scope, its clauses), and the buyer's next offer. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field

from app.contract.dates import format_day
from app.contract.money import format_count, format_exact_quantity
from app.contract.negotiation import EscalationReason
from app.service.negotiation.offers.scope_requirements import ScopeRequirements
from app.service.negotiation.strategy.levers import describe_automatic_renewal
from app.service.negotiation.strategy.strategy import Strategy
from app.service.pricing.next_step import ROUNDING_TOLERANCE, find_first_ask, round_as_people_do
from app.service.pricing.verdict import KnownPercentiles, judge_total
from app.service.scopes.quote import QuoteClauses
from app.service.scopes.terms import StoredProductTerm, as_number
from app.service.stored_record import StoredRecord

OfferOrigin = Literal["update", "document", "scope"]


EXPIRY_WARNING = timedelta(days=3)

FILE_SOURCE = "parley:file"
"""The source of offers read in files. Their external id is the file's SHA-256, so that the same file makes
one offer however often it comes."""


@dataclass(frozen=True, slots=True)
class Offer(StoredRecord):
    """What the supplier asks for. `entry_id` is the timeline entry it is read from: the newest correction's
    where it was corrected; `first_entry_id` is the entry of the offer itself. `quantities` are those of its
    lines by product id, `options` the editions and the like that its lines name (by product and dimension, a
    value), `product_terms` its lines where it was read in a document, `clauses` those found in it. `covered`
    is the money of its lines for known products, None where no lines were read. `fits_scope` is false for an
    offer for another term, quantity or product than the scope's."""

    entry_id: Annotated[str, Field(exclude=True)]
    happened_at: Annotated[datetime, Field(exclude=True)]
    amount: Decimal
    currency: str
    origin: OfferOrigin = "update"
    term_length: int | None = None
    valid_until: date | None = None
    quantities: Mapping[str, Decimal | None] = field(default_factory=dict[str, Decimal | None])
    clauses: QuoteClauses = field(default_factory=QuoteClauses)
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    product_terms: Annotated[Sequence[StoredProductTerm], Field(alias="terms"), AfterValidator(tuple)] = ()
    covered: Decimal | None = None
    line_count: Annotated[int, Field(alias="lines")] = 0
    covered_line_count: Annotated[int, Field(alias="linesCovered")] = 0
    document_number: Annotated[str | None, Field(alias="number")] = None
    fits_scope: Annotated[bool, Field(alias="fits")] = True
    first_entry_id: Annotated[str, Field(exclude=True)] = field(default="", compare=False)

    @classmethod
    def of_entry(cls, entry_id: str, happened_at: datetime, record: Mapping[str, Any]) -> Self:
        """Build the offer that an entry of the timeline stores."""
        entry = {"entryId": entry_id, "happenedAt": happened_at, "firstEntryId": entry_id}
        return cls.from_record({**record, **entry})

    @property
    def uncovered(self) -> Decimal:
        """What it asks for lines of no known product."""
        return Decimal(0) if self.covered is None else max(self.amount - self.covered, Decimal(0))

    @property
    def ends_at(self) -> datetime | None:
        """The end of the last day on which it is valid, in UTC."""
        if self.valid_until is None or self.valid_until == date.max:
            return None
        day = self.valid_until + timedelta(days=1)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)

    def has_expired(self, now: datetime) -> bool:
        """Whether it is not valid any more."""
        return self.ends_at is not None and self.ends_at <= now

    @property
    def warn_at(self) -> datetime | None:
        """When to warn that it expires: three days before."""
        if self.ends_at is None or self.ends_at < datetime.min.replace(tzinfo=UTC) + 2 * EXPIRY_WARNING:
            return None
        return self.ends_at - timedelta(days=1) - EXPIRY_WARNING


def list_valid_offers(offers: Sequence[Offer], now: datetime) -> list[Offer]:
    """Return the offers that have not expired, and the newest in any case. `offers` are in the order in which
    they happened."""
    return [offer for offer in offers if offer is offers[-1] or not offer.has_expired(now)]


def find_best_amount(offers: Sequence[Offer], now: datetime) -> Decimal | None:
    """Return the lowest valid offer that fits the scope; None where there is none."""
    return min((offer.amount for offer in list_valid_offers(offers, now) if offer.fits_scope), default=None)


_OfferPriceVerdict = Literal["above_walk_away", "above_target", "within_target"]

PRICE_REASONS: frozenset[EscalationReason] = frozenset(
    {"quote_above_walk_away", "quote_above_target", "quote_within_target", "scope_mismatch", "evidence_thin"}
)
"""The reasons that are checked again when the numbers change."""


@dataclass(frozen=True, slots=True)
class OfferBenchmark:
    """What an offer is compared with. `compared_amount` is the part of it that `strategy`, the three numbers,
    is for; without a strategy `missing_reason` says why the offer cannot be judged. `differences` say how it
    differs from the scope, and `strategy` is then for the terms of the offer; `comparison` adds what helps to
    compare."""

    compared_amount: Decimal
    strategy: Strategy | None
    differences: str = ""
    comparison: str = ""
    missing_reason: str = ""


@dataclass(frozen=True, slots=True)
class OfferFinding:
    """One reason to ask a person; `explanation` says in sentences what was found."""

    reason: EscalationReason
    explanation: str
    verdict: _OfferPriceVerdict | None = None


def assess_offer(offer: Offer, benchmark: OfferBenchmark, now: datetime) -> list[OfferFinding]:
    """Return what a person must decide about this offer: its price, and clauses with later costs. That it has
    expired is said of each."""
    findings = _list_findings(offer, benchmark)
    if offer.valid_until is None or not offer.has_expired(now):
        return findings
    expired = f"It was valid until {format_day(offer.valid_until)}: ask the supplier to confirm it."
    return [replace(one, explanation=f"{one.explanation} {expired}".strip()) for one in findings]


def _list_findings(offer: Offer, benchmark: OfferBenchmark) -> list[OfferFinding]:
    clauses = list(_find_costly_clauses(offer))
    verdict = _judge_price(benchmark)
    if benchmark.differences:
        because = " ".join(
            filter(None, [benchmark.differences, benchmark.comparison, benchmark.missing_reason])
        )
        return [OfferFinding("scope_mismatch", because, verdict), *clauses]
    if verdict is None:
        return (
            [OfferFinding("evidence_thin", benchmark.missing_reason), *clauses]
            if benchmark.missing_reason
            else clauses
        )
    reasons: Mapping[_OfferPriceVerdict, EscalationReason] = {
        "above_walk_away": "quote_above_walk_away",
        "above_target": "quote_above_target",
        "within_target": "quote_within_target",
    }
    return [OfferFinding(reasons[verdict], benchmark.comparison, verdict), *clauses]


def _judge_price(benchmark: OfferBenchmark) -> _OfferPriceVerdict | None:
    """Return how the amount compares with the three numbers; None without them."""
    if benchmark.strategy is None:
        return None
    if benchmark.compared_amount > benchmark.strategy.walk_away.amount:
        return "above_walk_away"
    return "above_target" if benchmark.compared_amount > benchmark.strategy.target.amount else "within_target"


def describe_price_level(benchmark: OfferBenchmark) -> str:
    """Say where the offer stands among comparable purchases, as the verdict on a quote does; empty where that
    is not known. Numbers that a person typed may be for other parts of the offer than the estimate."""
    strategy = benchmark.strategy
    if strategy is None or not strategy.percentiles or strategy.has_typed_number:
        return ""
    known = {at: float(price - strategy.quoted_part) for at, price in strategy.percentiles.items()}
    judged = judge_total(
        float(benchmark.compared_amount - strategy.quoted_part), KnownPercentiles(known, strategy.currency)
    )
    return judged.reasons[0]


def describe_differences(offer: Offer, scope: ScopeRequirements) -> str:
    """Describe in sentences how an offer differs from the scope; empty where it does not."""
    return " ".join(_differences(offer, scope))


def _differences(offer: Offer, scope: ScopeRequirements) -> Iterable[str]:
    if offer.term_length and scope.term_length and offer.term_length != scope.term_length:
        months = format_count(offer.term_length, "month")
        yield f"The offer is for {months}, the scope for {scope.term_length}."
    if offer.quantities:
        yield from _quantity_differences(offer, scope)
    yield from _option_differences(offer, scope)


def _quantity_differences(offer: Offer, scope: ScopeRequirements) -> Iterable[str]:
    extra = offer.quantities.keys() - scope.quantities.keys()
    missing = scope.quantities.keys() - offer.quantities.keys()
    if extra:
        yield f"The offer includes {_count_products(len(extra))} not in the scope."
    if missing:
        yield f"The offer leaves out {_count_products(len(missing))} of the scope."
    for key in sorted(offer.quantities.keys() & scope.quantities.keys()):
        offered = offer.quantities[key]
        asked = scope.quantities[key]
        if offered is None or offered == asked:
            continue
        needed = "does not say how many" if asked is None else f"for {format_exact_quantity(asked)}"
        yield f"The offer is for a quantity of {format_exact_quantity(offered)}, the scope {needed}."


def _option_differences(offer: Offer, scope: ScopeRequirements) -> Iterable[str]:
    for key in sorted(offer.options.keys() & scope.options.keys()):
        for dimension, text in sorted(offer.options[key].items()):
            chosen = scope.options[key].get(dimension)
            value = as_number(text)
            if chosen is not None and value is not None and value != chosen.value:
                offered = chosen.labels.get(value, format_exact_quantity(value))
                yield f"The offer is for {chosen.name} {offered}, the scope for {chosen.label}."


def _count_products(count: int) -> str:
    return "a product" if count == 1 else f"{count} products"


def _find_costly_clauses(offer: Offer) -> Iterable[OfferFinding]:
    """Find clauses with later costs. A cap on a price rise protects the buyer and is not one."""
    clauses = offer.clauses
    sentences: list[str] = []
    if clauses.uplift_percent is not None and not clauses.uplift_is_cap:
        sentences.append(f"The price rises by {clauses.uplift_percent.normalize():f} % at renewal.")
    if clauses.auto_renew:
        sentences.append(describe_automatic_renewal(clauses))
    if sentences:
        yield OfferFinding("contract_clause", " ".join(sentences))


STEP_SHARE = Decimal("0.5")
"""The share of the way from the last counter offer to the target."""


@dataclass(frozen=True, slots=True)
class CounterOffer:
    """What to offer next, and the reason in a sentence."""

    amount: Decimal
    reason: str


def suggest_counter_offer(
    previous: Sequence[Decimal], *, opening: Decimal, target: Decimal, offer: Decimal
) -> CounterOffer | None:
    """Suggest the counter offer that follows the `previous` ones, the oldest first. It is never above the
    target and always below the supplier's `offer`; None where no amount is both below the offer and worth
    asking for."""
    ceiling = min(target, offer)
    if not previous:
        amount = find_first_ask(offer, opening=opening, target=target)
        reason = (
            "This is the opening, rounded; it leaves room up to the target."
            if opening < target
            else "This is the opening, rounded, which equals the target."
        )
    elif previous[-1] >= ceiling:
        amount = round_as_people_do(ceiling, at_most=ceiling)
        reason = "This is the target: hold it until the supplier moves."
    else:
        last = previous[-1]
        amount = round_as_people_do(last + (ceiling - last) * STEP_SHARE, at_most=ceiling)
        reason = "This is halfway between your last offer and the target."
        if amount <= last or ceiling - amount <= ceiling * ROUNDING_TOLERANCE:
            amount = round_as_people_do(ceiling, at_most=ceiling)
            reason = "This is the target, which is close to your last offer."
    return CounterOffer(amount, reason) if amount < offer else None
