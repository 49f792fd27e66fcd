"""What a person is asked: the words, the options and their consequences, for each reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from app.contract.negotiation import Decision, EscalationReason
from app.service.negotiation.amounts import in_words, kept
from app.service.negotiation.offers import Finding, Offer
from app.service.negotiation.strategy import Strategy


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
ENDS_IT = "The supplier is told no; record a cancellation when it is final."


def about_offer(finding: Finding, offer: Offer, strategy: Strategy | None) -> Question:
    """The question that a finding about an offer asks."""
    asked = f"{in_words(offer.amount)} {offer.currency}"
    accept = Option("accept", f"Accept {asked}", "Record the agreement when it is signed.", offer.amount)
    walk_away = Option("walk_away", "Walk away", ENDS_IT)
    target = strategy.target.amount if strategy else None
    counter_label = (
        "Make a counter offer" if target is None else f"Counter with {in_words(target)} {offer.currency}"
    )
    counter = Option("counter", counter_label, "This becomes the next offer to the supplier.", target)
    other = Option("other", "Something else", NO_RECORD)
    if finding.reason == "quote_above_walk_away" and strategy is not None:
        return Question(
            finding.reason,
            "The quote is above the walk-away",
            f"The supplier asks for {asked}; the walk-away is {in_words(strategy.walk_away.amount)}."
            f" {strategy.walk_away.reason}",
            [counter, walk_away, accept, other],
            "counter",
            offer.ends_at,
        )
    if finding.reason == "quote_within_target" and strategy is not None:
        return Question(
            finding.reason,
            "The quote is within the target",
            f"The supplier asks for {asked}; the target is {in_words(strategy.target.amount)}."
            f" {strategy.target.reason}",
            [accept, *_sharper_counter(offer, strategy), walk_away, other],
            "accept",
            offer.ends_at,
        )
    if finding.reason == "contract_clause":
        strike = Option("counter", "Ask to strike or cap it", "The supplier is asked to change the clause.")
        keep = Option("accept", "Live with it", "The clause stays as it is.")
        return Question(
            finding.reason,
            "The document has a clause that costs later",
            finding.because,
            [strike, keep, other],
            "counter",
            offer.ends_at,
        )
    ask = Option(
        "counter", "Ask for an offer that fits", "The supplier is asked to quote the scope as it is."
    )
    return Question(
        finding.reason,
        "The offer is not for what was asked",
        finding.because + " Its price cannot be measured by the numbers of this scope.",
        [ask, accept, walk_away, other],
        "counter",
        offer.ends_at,
    )


def _sharper_counter(offer: Offer, strategy: Strategy) -> list[Option]:
    """To ask for the opening all the same; nothing where the supplier asks for no more than that."""
    amount = strategy.opening.amount
    if amount >= offer.amount:
        return []
    return [
        Option(
            "counter",
            f"Counter with {in_words(amount)} {offer.currency}",
            "It may save more, and it may cost the supplier's patience.",
            amount,
        )
    ]


def expiring(offer: Offer) -> Question:
    """The quote will soon be void."""
    return Question(
        "quote_expiring",
        "The quote expires soon",
        f"The quote of {in_words(offer.amount)} {offer.currency} is valid until {offer.valid_until}.",
        [
            Option("accept", "Accept it", "Record the agreement when it is signed.", offer.amount),
            Option("counter", "Ask for more time", "The supplier is asked to extend the quote."),
            Option("walk_away", "Let it expire", ENDS_IT),
            Option("other", "Something else", NO_RECORD),
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
            Option("go_ahead", "Ask again", "The supplier is reminded, and the waiting starts anew."),
            Option("walk_away", "Walk away", ENDS_IT),
            Option("other", "Something else", NO_RECORD),
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
        f"{why} The strategy has levers and no opening, target or walk-away.",
        [
            Option("go_ahead", "Go on without numbers", "Offers are recorded and not judged."),
            Option("walk_away", "Walk away", ENDS_IT),
            Option("other", "Something else", NO_RECORD),
        ],
        "go_ahead",
    )
