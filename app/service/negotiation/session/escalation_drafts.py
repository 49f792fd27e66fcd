"""The questions that escalations ask a person, with their options and consequences, for each reason. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.contract.dates import format_day
from app.contract.money import format_exact_money
from app.contract.negotiation import Decision, EscalationReason
from app.service.negotiation.offers.offer import (
    CounterOffer,
    Offer,
    OfferBenchmark,
    OfferFinding,
    describe_price_level,
)
from app.service.negotiation.rows import StoredOption


@dataclass(frozen=True, slots=True)
class EscalationDraft:
    """An escalation before it is written. `due_at` is when an answer would be too late."""

    reason: EscalationReason
    title: str
    description: str
    options: Sequence[StoredOption]
    recommended: Decision | None = None
    due_at: datetime | None = None


NOTHING_SENT = "Nothing is sent, and the negotiation continues unchanged."
DECLINE_OFFER = "Decline the offer, and record a cancellation once it is final."
ASK_FOR_SCOPE = "Ask the supplier to quote the scope as it is."
OTHER = StoredOption("other", "Something else", NOTHING_SENT)
WALK_AWAY = StoredOption("walk_away", "Walk away", DECLINE_OFFER)


def draft_for_offer(
    finding: OfferFinding, offer: Offer, benchmark: OfferBenchmark, counter: CounterOffer | None
) -> EscalationDraft:
    """Draft the question that a finding about an offer asks. `counter` is the buyer's next offer."""
    if finding.reason == "contract_clause":
        return _draft_for_clause(finding, offer)
    asked = format_exact_money(offer.amount, offer.currency)
    accept = StoredOption(
        "accept", f"Accept {asked}", "Record the agreed price once it is signed.", offer.amount
    )
    if finding.reason == "scope_mismatch":
        return _draft_for_mismatch(finding, offer, accept, counter)
    if benchmark.strategy is None:
        return _draft_without_benchmark(finding, offer, accept)
    compared = asked
    if benchmark.compared_amount != offer.amount:
        covered = format_exact_money(benchmark.compared_amount, offer.currency)
        compared = f"{asked}, of which {covered} is compared"
    options = [OTHER] if counter is None else [_counter_option(counter, offer), OTHER]
    numbers = benchmark.strategy
    if finding.reason == "quote_above_walk_away":
        position, options, advised = numbers.walk_away, [*options[:-1], WALK_AWAY, accept, OTHER], "counter"
        title = "The quote is above the walk-away"
        against = f"the walk-away is {format_exact_money(position.amount, numbers.currency)}"
    elif finding.reason == "quote_above_target":
        position, options, advised = numbers.target, [*options[:-1], accept, WALK_AWAY, OTHER], "counter"
        title = "The quote is above the target"
        against = (
            f"the target is {format_exact_money(position.amount, numbers.currency)} and the walk-away"
            f" {format_exact_money(numbers.walk_away.amount, numbers.currency)}: there is room to negotiate"
        )
    else:
        position, options, advised = numbers.target, [accept, *options[:-1], WALK_AWAY, OTHER], "accept"
        title = "The quote is within the target"
        against = f"the target is {format_exact_money(position.amount, numbers.currency)}"
    named = "walk-away" if position is numbers.walk_away else "target"
    sentences = (
        f"The supplier quotes {compared}; {against}.",
        describe_price_level(benchmark),
        position.reason and f"The {named}: {position.reason}",
        finding.explanation,
    )
    description = " ".join(one for one in sentences if one)
    return EscalationDraft(finding.reason, title, description, options, advised, offer.ends_at)


def _counter_option(counter: CounterOffer, offer: Offer, terms: str = "") -> StoredOption:
    label = f"Counter with {format_exact_money(counter.amount, offer.currency)}{terms}"
    return StoredOption("counter", label, f"{counter.reason} It becomes your next offer.", counter.amount)


def _draft_for_clause(finding: OfferFinding, offer: Offer) -> EscalationDraft:
    strike = StoredOption("counter", "Ask to remove or cap it", "Ask the supplier to change the clause.")
    keep = StoredOption("accept", "Accept the clause", "The clause stays as it is.")
    return EscalationDraft(
        finding.reason,
        "The document has a clause that adds costs later",
        finding.explanation,
        [strike, keep, OTHER],
        "counter",
        offer.ends_at,
    )


def _draft_for_mismatch(
    finding: OfferFinding, offer: Offer, accept: StoredOption, counter: CounterOffer | None
) -> EscalationDraft:
    """The offer is on other terms. The counter offer is on those terms, where they could be estimated."""
    fit = "Ask for a matching offer"
    if counter is None:
        answer = StoredOption("counter", fit, ASK_FOR_SCOPE)
    else:
        answer = _counter_option(counter, offer, " on these terms")
    verdict = {
        "above_walk_away": "The offer is above that walk-away.",
        "above_target": "The offer is above that target.",
        "within_target": "The offer is within that target.",
        None: "",
    }[finding.verdict]
    options = [answer, accept, WALK_AWAY, OTHER]
    if counter is not None:
        options[-1] = StoredOption("other", fit, ASK_FOR_SCOPE)
    return EscalationDraft(
        finding.reason,
        "The offer does not match the scope",
        f"{finding.explanation} {verdict}".strip(),
        options,
        "accept" if finding.verdict == "within_target" else "counter",
        offer.ends_at,
    )


def _draft_without_benchmark(finding: OfferFinding, offer: Offer, accept: StoredOption) -> EscalationDraft:
    """The numbers are not for this offer."""
    return EscalationDraft(
        finding.reason,
        "The offer cannot be compared with the numbers",
        f"{finding.explanation} Enter a target of your own, and the offer is compared with it.",
        [
            StoredOption("counter", "Ask for a lower price", "Ask the supplier to improve the offer."),
            accept,
            WALK_AWAY,
            OTHER,
        ],
        None,
        offer.ends_at,
    )


def draft_thin_evidence(doubts: Sequence[str]) -> EscalationDraft:
    """The numbers rest on too little evidence."""
    return EscalationDraft(
        "evidence_thin",
        "The numbers rest on little evidence",
        f"{' '.join(doubts)} Treat the three numbers as a first guess: a second quote or your own past"
        " purchases would make them more reliable. You can enter numbers of your own.",
        [
            StoredOption("go_ahead", "Continue with these numbers", "Offers are compared with them."),
            OTHER,
        ],
        None,
    )


def draft_expiring_quote(offer: Offer) -> EscalationDraft:
    """The quote will soon expire."""
    until = f"is valid until {format_day(offer.valid_until)}" if offer.valid_until else "expires soon"
    return EscalationDraft(
        "quote_expiring",
        "The quote expires soon",
        f"The quote of {format_exact_money(offer.amount, offer.currency)} {until}.",
        [
            StoredOption("accept", "Accept it", "Record the agreed price once it is signed.", offer.amount),
            StoredOption("counter", "Ask for more time", "Ask the supplier to extend the quote."),
            StoredOption("walk_away", "Let it expire", DECLINE_OFFER),
            OTHER,
        ],
        "counter",
        offer.ends_at,
    )


def draft_silent_supplier(days: float, told: str) -> EscalationDraft:
    """Nothing came from the supplier. `told` says whether they were reminded, where we write the letters."""
    return EscalationDraft(
        "supplier_silent",
        "The supplier has not replied",
        f"Nothing has arrived from the supplier for {days:g} days. {told}".strip(),
        [
            StoredOption(
                "go_ahead", "Keep waiting" if told else "Send a reminder", "The waiting time starts again."
            ),
            WALK_AWAY,
            OTHER,
        ],
        "go_ahead",
    )


def draft_missing_scope(why: str | None = None) -> EscalationDraft:
    """It is not known what is to be bought."""
    return EscalationDraft(
        "scope_needed",
        "What do you want to buy?",
        (f"{why} " if why else "")
        + "There is neither a scope nor a readable quote. Attach one, or continue without numbers.",
        [
            StoredOption(
                "go_ahead", "Continue without numbers", "The strategy will have levers but no numbers."
            ),
            StoredOption("other", "Attach a quote", "Planning starts again once it has been read."),
        ],
        "other",
    )


def draft_missing_estimate(why: str) -> EscalationDraft:
    """The scope is known and its price is not."""
    return EscalationDraft(
        "no_estimate",
        "No estimate",
        f"{why} The strategy has levers but no opening, target or walk-away. Enter a target or budget of"
        " your own, import purchases of the same products, or attach a second quote.",
        [
            StoredOption(
                "go_ahead",
                "Continue without numbers",
                "Offers are recorded, and compared once you have entered numbers of your own.",
            ),
            WALK_AWAY,
            OTHER,
        ],
        "go_ahead",
    )
