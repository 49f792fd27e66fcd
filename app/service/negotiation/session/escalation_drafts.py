"""The questions that escalations ask a person, with their options and consequences, for each reason. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.contract.negotiation import Decision, EscalationReason
from app.service.negotiation.amounts import format_amount
from app.service.negotiation.offers.counter_offers import CounterOffer
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.offers.offer_findings import OfferBenchmark, OfferFinding
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


NOTHING_SENT = "Nothing is sent, and the negotiation continues as it is."
TELL_SUPPLIER_NO = "Tell the supplier no, and record a cancellation when it is final."
OTHER = StoredOption("other", "Something else", NOTHING_SENT)
WALK_AWAY = StoredOption("walk_away", "Walk away", TELL_SUPPLIER_NO)


def draft_for_offer(
    finding: OfferFinding, offer: Offer, benchmark: OfferBenchmark, counter: CounterOffer | None
) -> EscalationDraft:
    """Draft the question that a finding about an offer asks. `counter` is the buyer's next offer."""
    if finding.reason == "contract_clause":
        return _draft_for_clause(finding, offer)
    asked = f"{format_amount(offer.amount)} {offer.currency}"
    accept = StoredOption(
        "accept", f"Accept {asked}", "Record the agreement when it is signed.", offer.amount
    )
    if finding.reason == "scope_mismatch":
        return _draft_for_mismatch(finding, offer, accept, counter)
    if benchmark.strategy is None:
        return _draft_without_benchmark(finding, offer, accept)
    compared = asked
    if benchmark.compared_amount != offer.amount:
        compared = f"{format_amount(benchmark.compared_amount)} {offer.currency} of {asked}"
    options = [OTHER] if counter is None else [_counter_option(counter, offer), OTHER]
    numbers = benchmark.strategy
    if finding.reason == "quote_above_walk_away":
        position, options, advised = numbers.walk_away, [*options[:-1], WALK_AWAY, accept, OTHER], "counter"
        title = "The quote is above the walk-away"
        against = f"the walk-away is {format_amount(position.amount)}"
    elif finding.reason == "quote_above_target":
        position, options, advised = numbers.target, [*options[:-1], accept, WALK_AWAY, OTHER], "counter"
        title = "The quote is above the target"
        against = (
            f"the target is {format_amount(position.amount)} and the walk-away"
            f" {format_amount(numbers.walk_away.amount)}: there is room left"
        )
    else:
        position, options, advised = numbers.target, [accept, *options[:-1], WALK_AWAY, OTHER], "accept"
        title = "The quote is within the target"
        against = f"the target is {format_amount(position.amount)}"
    description = f"The supplier asks for {compared}; {against}. {position.reason}"
    if finding.explanation:
        description += f" {finding.explanation}"
    return EscalationDraft(finding.reason, title, description, options, advised, offer.ends_at)


def _counter_option(counter: CounterOffer, offer: Offer, terms: str = "") -> StoredOption:
    label = f"Counter with {format_amount(counter.amount)} {offer.currency}{terms}"
    return StoredOption("counter", label, f"{counter.reason} It becomes your next offer.", counter.amount)


def _draft_for_clause(finding: OfferFinding, offer: Offer) -> EscalationDraft:
    strike = StoredOption("counter", "Ask to strike or cap it", "Ask the supplier to change the clause.")
    keep = StoredOption("accept", "Accept the clause", "The clause stays as it is.")
    return EscalationDraft(
        finding.reason,
        "The document has a clause with later costs",
        finding.explanation,
        [strike, keep, OTHER],
        "counter",
        offer.ends_at,
    )


def _draft_for_mismatch(
    finding: OfferFinding, offer: Offer, accept: StoredOption, counter: CounterOffer | None
) -> EscalationDraft:
    """The offer is on other terms. The counter offer is on those terms, where they could be estimated."""
    fit = "Ask for an offer that fits"
    if counter is None:
        answer = StoredOption("counter", fit, "Ask the supplier to quote the scope as it is.")
    else:
        answer = _counter_option(counter, offer, " on these terms")
    verdict = {
        "above_walk_away": "It is above that walk-away.",
        "above_target": "It is above that target.",
        "within_target": "It is within that target.",
        None: "",
    }[finding.verdict]
    options = [answer, accept, WALK_AWAY, OTHER]
    if counter is not None:
        options[-1] = StoredOption("other", fit, "Ask the supplier to quote the scope as it is.")
    return EscalationDraft(
        finding.reason,
        "The offer is not for what was asked",
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
        f"{finding.explanation} Type a target of your own, and the offer is judged by it.",
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
        f"{' '.join(doubts)} Treat the three numbers as a first guess: a second quote or an import of your"
        " own purchases would say more. You may type numbers of your own.",
        [
            StoredOption("go_ahead", "Go on with these numbers", "Offers are compared with them."),
            OTHER,
        ],
        None,
    )


def draft_expiring_quote(offer: Offer) -> EscalationDraft:
    """The quote will soon expire."""
    return EscalationDraft(
        "quote_expiring",
        "The quote expires soon",
        f"The quote of {format_amount(offer.amount)} {offer.currency} is valid until {offer.valid_until}.",
        [
            StoredOption("accept", "Accept it", "Record the agreement when it is signed.", offer.amount),
            StoredOption("counter", "Ask for more time", "Ask the supplier to extend the quote."),
            StoredOption("walk_away", "Let it expire", TELL_SUPPLIER_NO),
            OTHER,
        ],
        "counter",
        offer.ends_at,
    )


def draft_silent_supplier(days: float) -> EscalationDraft:
    """Nothing came from the supplier."""
    return EscalationDraft(
        "supplier_silent",
        "The supplier is silent",
        f"Nothing has come from the supplier for {days:g} days.",
        [
            StoredOption("go_ahead", "Ask again", "Remind the supplier. The waiting time starts again."),
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
        + "There is neither a scope nor a quote that could be read. Attach one, or go on without numbers.",
        [
            StoredOption(
                "go_ahead", "Go on without numbers", "The strategy will have levers and no numbers."
            ),
            StoredOption("other", "A quote will be attached", "Planning starts again when it is there."),
        ],
        "other",
    )


def draft_missing_estimate(why: str) -> EscalationDraft:
    """The scope is known and its price is not."""
    return EscalationDraft(
        "no_estimate",
        "There is no estimate",
        f"{why} The strategy has levers and no opening, target or walk-away. Type a target or a budget of"
        " your own, import purchases of the same products, or attach a second quote.",
        [
            StoredOption(
                "go_ahead",
                "Go on without numbers",
                "Offers are recorded, and judged once you have typed numbers of your own.",
            ),
            WALK_AWAY,
            OTHER,
        ],
        "go_ahead",
    )
