"""An offer, and what about it a person must decide."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, Self

from app.contract.negotiation import EscalationReason
from app.service.negotiation.amounts import amount_to_text, format_amount, parse_amount
from app.service.negotiation.strategy.strategy import Strategy
from app.service.scopes.terms import ProductTerm, as_number

OfferOrigin = Literal["update", "document", "scope"]
PriceVerdict = Literal["above_walk_away", "above_target", "within_target"]

PRICE_REASONS: frozenset[EscalationReason] = frozenset(
    {"quote_above_walk_away", "quote_above_target", "quote_within_target", "scope_mismatch", "evidence_thin"}
)
"""What is judged anew when the numbers change."""

EXPIRY_WARNING = timedelta(days=3)

FILE_SOURCE = "parley:file"
"""The source of offers read in files; their external id is the file's SHA-256, so that the same file, however
often it comes, makes one offer."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the supplier asks for. `entry_id` is that of the timeline's entry, of the newest correction where
    it was corrected; `first_entry_id` that of the offer itself. `quantities` are those of its lines by
    product id, `options` the editions and the like that its words choose (by product and dimension, a
    value), `terms` its lines as product terms where it was read from a document, `clauses` those seen in
    it. `covered` is the money of its lines for known products, None where no lines were read; `fits` is false
    for an offer for another term, quantity or product than the scope's."""

    entry_id: str
    happened_at: datetime
    amount: Decimal
    currency: str
    origin: OfferOrigin = "update"
    term_length: int | None = None
    valid_until: date | None = None
    quantities: Mapping[str, Decimal | None] = field(default_factory=dict[str, Decimal | None])
    clauses: Mapping[str, Any] = field(default_factory=dict[str, Any])
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    product_terms: Sequence[ProductTerm] = ()
    covered: Decimal | None = None
    line_count: int = 0
    covered_line_count: int = 0
    document_number: str | None = None
    fits_scope: bool = True
    first_entry_id: str = field(default="", compare=False)

    @property
    def uncovered(self) -> Decimal:
        """What it asks for lines that are for no known product."""
        return Decimal(0) if self.covered is None else max(self.amount - self.covered, Decimal(0))

    @property
    def ends_at(self) -> datetime | None:
        """The end of the last day on which it is valid, in UTC."""
        if self.valid_until is None or self.valid_until == date.max:
            return None
        day = self.valid_until + timedelta(days=1)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)

    @property
    def warn_at(self) -> datetime | None:
        """When to say that it expires: three days before."""
        if self.ends_at is None or self.ends_at < datetime.min.replace(tzinfo=UTC) + 2 * EXPIRY_WARNING:
            return None
        return self.ends_at - timedelta(days=1) - EXPIRY_WARNING

    def to_record(self) -> dict[str, Any]:
        """As the timeline's row keeps it; `from_record` reads it again."""
        return {
            "amount": amount_to_text(self.amount),
            "currency": self.currency,
            "origin": self.origin,
            "termLength": self.term_length,
            "validUntil": self.valid_until.isoformat() if self.valid_until else None,
            "quantities": {
                key: None if value is None else amount_to_text(value)
                for key, value in self.quantities.items()
            },
            "clauses": dict(self.clauses),
            "options": {key: dict(chosen) for key, chosen in self.options.items()},
            "terms": [term.record() for term in self.product_terms],
            "covered": None if self.covered is None else amount_to_text(self.covered),
            "lines": self.line_count,
            "linesCovered": self.covered_line_count,
            "number": self.document_number,
            "fits": self.fits_scope,
        }

    @classmethod
    def from_record(cls, entry_id: str, happened_at: datetime, record: Mapping[str, Any]) -> Self:
        return cls(
            entry_id=entry_id,
            happened_at=happened_at,
            amount=parse_amount(record["amount"]),
            currency=record["currency"],
            origin=record["origin"],
            term_length=record["termLength"],
            valid_until=date.fromisoformat(record["validUntil"]) if record["validUntil"] else None,
            quantities={
                key: None if value is None else parse_amount(value)
                for key, value in record["quantities"].items()
            },
            clauses=record["clauses"],
            options=record.get("options", {}),
            product_terms=tuple(ProductTerm.from_record(term) for term in record.get("terms", ())),
            covered=parse_amount(record["covered"]) if record.get("covered") is not None else None,
            line_count=record.get("lines", 0),
            covered_line_count=record.get("linesCovered", 0),
            document_number=record.get("number"),
            fits_scope=record.get("fits", True),
            first_entry_id=entry_id,
        )


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """What was chosen of a pricing dimension: its number, and in words; `words_of` are all that there are."""

    name: str
    value: Decimal
    label: str
    labels: Mapping[Decimal, str]


@dataclass(frozen=True, slots=True)
class ScopeRequirements:
    """What is to be bought: the term in months, the quantities by product id, and by product and dimension
    what was chosen. `alone` says that a price for it is for these products and nothing else."""

    term_length: int | None
    quantities: Mapping[str, Decimal]
    options: Mapping[str, Mapping[str, ChosenOption]] = field(
        default_factory=dict[str, Mapping[str, ChosenOption]]
    )
    is_exclusive: bool = True

    @property
    def quantity(self) -> Decimal | None:
        """That of the one product; None for several, whose units do not add up, and where the price is for
        something else, too."""
        return (
            next(iter(self.quantities.values())) if len(self.quantities) == 1 and self.is_exclusive else None
        )


@dataclass(frozen=True, slots=True)
class OfferBenchmark:
    """What an offer is held against. `amount` is the part of it that `by`, the three numbers, are for;
    without them `missing` says why it cannot be judged. `differences` say what is other than the scope, and
    then `by` are numbers on the offer's own terms; `compared` adds what helps to compare."""

    compared_amount: Decimal
    strategy: Strategy | None
    differences: str = ""
    comparison: str = ""
    missing_reason: str = ""


@dataclass(frozen=True, slots=True)
class OfferFinding:
    """One reason to ask a person; `because` says in sentences what was found."""

    reason: EscalationReason
    explanation: str
    verdict: PriceVerdict | None = None


def list_valid_offers(offers: Sequence[Offer], now: datetime) -> list[Offer]:
    """The quotes that can still be had: those not expired, and the newest in any case. `offers` in the order
    in which they happened."""
    return [offer for offer in offers if offer is offers[-1] or offer.ends_at is None or offer.ends_at > now]


def find_best_amount(offers: Sequence[Offer], now: datetime) -> Decimal | None:
    """The lowest offer in hand for what is asked; None where there is none."""
    return min((offer.amount for offer in list_valid_offers(offers, now) if offer.fits_scope), default=None)


def assess_offer(offer: Offer, benchmark: OfferBenchmark) -> list[OfferFinding]:
    """What about this offer a person must decide: its price, and the clauses that cost later."""
    clauses = list(_find_costly_clauses(offer))
    verdict = judge_price(benchmark)
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
    reasons: Mapping[PriceVerdict, EscalationReason] = {
        "above_walk_away": "quote_above_walk_away",
        "above_target": "quote_above_target",
        "within_target": "quote_within_target",
    }
    return [OfferFinding(reasons[verdict], benchmark.comparison, verdict), *clauses]


def judge_price(benchmark: OfferBenchmark) -> PriceVerdict | None:
    """Where the amount lies among the numbers; None without them."""
    if benchmark.strategy is None:
        return None
    if benchmark.compared_amount > benchmark.strategy.walk_away.amount:
        return "above_walk_away"
    return "above_target" if benchmark.compared_amount > benchmark.strategy.target.amount else "within_target"


def describe_differences(offer: Offer, scope: ScopeRequirements) -> str:
    """In what an offer is other than the scope, in sentences; empty where it is the same."""
    return " ".join(_differences(offer, scope))


def _differences(offer: Offer, scope: ScopeRequirements) -> Iterable[str]:
    if offer.term_length and scope.term_length and offer.term_length != scope.term_length:
        yield f"The offer runs {offer.term_length} months, the scope {scope.term_length}."
    if offer.quantities:
        yield from _quantity_differences(offer, scope)
    yield from _option_differences(offer, scope)


def _quantity_differences(offer: Offer, scope: ScopeRequirements) -> Iterable[str]:
    extra = offer.quantities.keys() - scope.quantities.keys()
    missing = scope.quantities.keys() - offer.quantities.keys()
    if extra:
        yield f"The offer has {_count_products(len(extra))} that the scope has not."
    if missing:
        yield f"The offer lacks {_count_products(len(missing))} of the scope."
    for key in sorted(offer.quantities.keys() & scope.quantities.keys()):
        offered = offer.quantities[key]
        if offered is not None and offered != scope.quantities[key]:
            yield f"The offer has a quantity of {offered}, the scope {scope.quantities[key]}."


def _option_differences(offer: Offer, scope: ScopeRequirements) -> Iterable[str]:
    for key in sorted(offer.options.keys() & scope.options.keys()):
        for dimension, text in sorted(offer.options[key].items()):
            chosen = scope.options[key].get(dimension)
            value = as_number(text)
            if chosen is not None and value is not None and value != chosen.value:
                offered = chosen.labels.get(value, format_amount(value))
                yield f"The offer is for {chosen.name} {offered}, the scope for {chosen.label}."


def _count_products(count: int) -> str:
    return "a product" if count == 1 else f"{count} products"


def _find_costly_clauses(offer: Offer) -> Iterable[OfferFinding]:
    """Those that cost later. A cap on what the price may rise by protects the buyer and is no matter."""
    uplift, renews = offer.clauses.get("renewalUpliftPercent"), offer.clauses.get("autoRenew")
    seen: list[str] = []
    if uplift is not None and not offer.clauses.get("renewalUpliftIsCap"):
        seen.append(f"The price rises by {uplift} % at renewal.")
    if renews:
        notice = offer.clauses.get("noticeDays")
        seen.append(
            "It renews by itself" + (f" unless notice is given {notice} days before." if notice else ".")
        )
    if seen:
        yield OfferFinding("contract_clause", " ".join(seen))
