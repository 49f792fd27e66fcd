"""What a person is asked: the words, the options and their consequences, for each reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from app.contract.negotiation import Decision, EscalationReason
from app.service.negotiation.amounts import in_words, kept
from app.service.negotiation.offers.counter_offers import Counter
from app.service.negotiation.offers.offer import Finding, Measured, Offer


@dataclass(frozen=True, slots=True)
class Option:
    decision: Decision
    label: str
    consequence: str
    amount: Decimal | None = None

    def record(self) -> dict[str, Any]:
        kept_amount = {} if self.amount is None else {"amount": kept(self.amount)}
        return {
            "decision": self.decision,
            "label": self.label,
            "consequence": self.consequence,
            **kept_amount,
        }


@dataclass(frozen=True, slots=True)
class Question:
    """An escalation before it is written. `due_at` is when the answer comes too late."""

    reason: EscalationReason
    title: str
    description: str
    options: Sequence[Option]
    recommended: Decision | None = None
    due_at: datetime | None = None


NO_RECORD = "Nothing is sent; the negotiation goes on as it is."
ENDS_IT = "Tell the supplier no; record a cancellation when it is final."
OTHER = Option("other", "Something else", NO_RECORD)
WALK_AWAY = Option("walk_away", "Walk away", ENDS_IT)


def about_offer(finding: Finding, offer: Offer, measured: Measured, counter: Counter | None) -> Question:
    """The question that a finding about an offer asks. `counter` is the buyer's next offer."""
    if finding.reason == "contract_clause":
        return _clause(finding, offer)
    asked = f"{in_words(offer.amount)} {offer.currency}"
    accept = Option("accept", f"Accept {asked}", "Record the agreement when it is signed.", offer.amount)
    if finding.reason == "scope_mismatch":
        return _mismatch(finding, offer, accept, counter)
    if measured.by is None:
        return _unmeasured(finding, offer, accept)
    held = asked
    if measured.amount != offer.amount:
        held = f"{in_words(measured.amount)} {offer.currency} of {asked}"
    options = [OTHER] if counter is None else [_counter(counter, offer), OTHER]
    numbers = measured.by
    if finding.reason == "quote_above_walk_away":
        position, options, advised = numbers.walk_away, [*options[:-1], WALK_AWAY, accept, OTHER], "counter"
        title = "The quote is above the walk-away"
        against = f"the walk-away is {in_words(position.amount)}"
    elif finding.reason == "quote_above_target":
        position, options, advised = numbers.target, [*options[:-1], accept, WALK_AWAY, OTHER], "counter"
        title = "The quote is above the target"
        against = (
            f"the target is {in_words(position.amount)} and the walk-away"
            f" {in_words(numbers.walk_away.amount)}: there is room left"
        )
    else:
        position, options, advised = numbers.target, [accept, *options[:-1], WALK_AWAY, OTHER], "accept"
        title = "The quote is within the target"
        against = f"the target is {in_words(position.amount)}"
    description = f"The supplier asks for {held}; {against}. {position.reason}"
    if finding.because:
        description += f" {finding.because}"
    return Question(finding.reason, title, description, options, advised, offer.ends_at)


def _counter(counter: Counter, offer: Offer, terms: str = "") -> Option:
    label = f"Counter with {in_words(counter.amount)} {offer.currency}{terms}"
    return Option("counter", label, f"{counter.why} It becomes your next offer.", counter.amount)


def _clause(finding: Finding, offer: Offer) -> Question:
    strike = Option("counter", "Ask to strike or cap it", "Ask the supplier to change the clause.")
    keep = Option("accept", "Live with it", "The clause stays as it is.")
    return Question(
        finding.reason,
        "The document has a clause that costs later",
        finding.because,
        [strike, keep, OTHER],
        "counter",
        offer.ends_at,
    )


def _mismatch(finding: Finding, offer: Offer, accept: Option, counter: Counter | None) -> Question:
    """An offer on other terms. The counter is on those terms, where they could be priced."""
    fit = "Ask for an offer that fits"
    if counter is None:
        answer = Option("counter", fit, "Ask the supplier to quote the scope as it is.")
    else:
        answer = _counter(counter, offer, " on these terms")
    verdict = {
        "above_walk_away": "It is above that walk-away.",
        "above_target": "It is above that target.",
        "within_target": "It is within that target.",
        None: "",
    }[finding.verdict]
    options = [answer, accept, WALK_AWAY, OTHER]
    if counter is not None:
        options[-1] = Option("other", fit, "Ask the supplier to quote the scope as it is.")
    return Question(
        finding.reason,
        "The offer is not for what was asked",
        f"{finding.because} {verdict}".strip(),
        options,
        "accept" if finding.verdict == "within_target" else "counter",
        offer.ends_at,
    )


def _unmeasured(finding: Finding, offer: Offer, accept: Option) -> Question:
    """An offer that the numbers are not for."""
    return Question(
        finding.reason,
        "The offer cannot be held against the numbers",
        f"{finding.because} Type a target of your own, and the offer is judged by it.",
        [
            Option("counter", "Ask for a lower price", "Ask the supplier to improve the offer."),
            accept,
            WALK_AWAY,
            OTHER,
        ],
        None,
        offer.ends_at,
    )


def thin_evidence(doubts: Sequence[str]) -> Question:
    """The numbers are there and rest on too little."""
    return Question(
        "evidence_thin",
        "The numbers rest on little",
        f"{' '.join(doubts)} Treat the three numbers as a first guess: a second quote or an import of your"
        " own purchases would say more. You may type numbers of your own.",
        [
            Option("go_ahead", "Go on with these numbers", "Offers are held against them."),
            OTHER,
        ],
        None,
    )


def expiring(offer: Offer) -> Question:
    """The quote will soon be void."""
    return Question(
        "quote_expiring",
        "The quote expires soon",
        f"The quote of {in_words(offer.amount)} {offer.currency} is valid until {offer.valid_until}.",
        [
            Option("accept", "Accept it", "Record the agreement when it is signed.", offer.amount),
            Option("counter", "Ask for more time", "Ask the supplier to extend the quote."),
            Option("walk_away", "Let it expire", ENDS_IT),
            OTHER,
        ],
        "counter",
        offer.ends_at,
    )


def silent(days: float) -> Question:
    """Nothing came from the supplier."""
    return Question(
        "supplier_silent",
        "The supplier is silent",
        f"Nothing has come from the supplier for {days:g} days.",
        [
            Option("go_ahead", "Ask again", "Remind the supplier; the waiting starts anew."),
            WALK_AWAY,
            OTHER,
        ],
        "go_ahead",
    )


def scope_needed(why: str | None = None) -> Question:
    """There is nothing to make a strategy for."""
    return Question(
        "scope_needed",
        "What is to be bought?",
        (f"{why} " if why else "")
        + "There is neither a scope nor a quote that could be read. Attach one, or go on without numbers.",
        [
            Option("go_ahead", "Go on without numbers", "The strategy will have levers and no numbers."),
            Option("other", "A quote will be attached", "Planning starts again when it is there."),
        ],
        "other",
    )


def no_estimate(why: str) -> Question:
    """The scope is known and its price is not."""
    return Question(
        "no_estimate",
        "There is no estimate",
        f"{why} The strategy has levers and no opening, target or walk-away. Type a target or a budget of"
        " your own, import purchases of the same products, or attach a second quote.",
        [
            Option(
                "go_ahead",
                "Go on without numbers",
                "Offers are recorded, and judged once you have typed numbers of your own.",
            ),
            WALK_AWAY,
            OTHER,
        ],
        "go_ahead",
    )
