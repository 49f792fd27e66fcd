"""Executive summaries: a title, a few sentences and their figures. Every number of the text is a figure, so
texts name no supplier and no product: names have numbers of their own."""

from dataclasses import dataclass, field
from decimal import Decimal

from app.contract.negotiation import Figures
from app.service.negotiation.agreements.savings import Savings
from app.service.negotiation.amounts import in_words
from app.service.negotiation.offers.offer import Finding, Measured, Offer
from app.service.negotiation.strategy.strategy import Strategy


@dataclass(frozen=True, slots=True)
class Summary:
    title: str
    text: str
    figures: Figures = field(default_factory=Figures)


def planned(strategy: Strategy) -> Summary:
    at, currency = strategy, strategy.currency
    return Summary(
        "The strategy is ready",
        f"Aim for {in_words(at.target.amount)} {currency}. Walk away above"
        f" {in_words(at.walk_away.amount)} {currency}. The strategy says what each rests on.",
        Figures(target=at.target.amount, walk_away=at.walk_away.amount),
    )


def planned_without_numbers() -> Summary:
    return Summary(
        "The strategy is ready, without numbers",
        "No estimate could be made, so there is no target and no walk-away until a person types them."
        " The levers stand.",
    )


def scope_missing() -> Summary:
    return Summary(
        "A scope is needed", "It is not known what is to be bought. Attach a quote, or go on without numbers."
    )


def numbers_changed(strategy: Strategy) -> Summary:
    """A person or new evidence moved the numbers."""
    at, currency = strategy, strategy.currency
    return Summary(
        "The numbers were changed",
        f"Open with {in_words(at.opening.amount)} {currency}, aim for {in_words(at.target.amount)},"
        f" walk away above {in_words(at.walk_away.amount)} {currency}. The timeline says why.",
        Figures(opening=at.opening.amount, target=at.target.amount, walk_away=at.walk_away.amount),
    )


def corrected(before: Offer, after: Offer | None) -> Summary:
    """An offer was corrected, or withdrawn where there is nothing `after`."""
    if after is None:
        return Summary(
            "A quote was withdrawn",
            f"The quote of {in_words(before.amount)} {before.currency} does not count any more.",
            Figures(quoted=before.amount),
        )
    return Summary(
        "A quote was corrected",
        f"It is for {in_words(after.amount)} {after.currency}.",
        Figures(quoted=after.amount),
    )


def offered(offer: Offer, findings: list[Finding], measured: Measured) -> Summary:
    quoted = f"The supplier asks for {in_words(offer.amount)} {offer.currency}."
    if measured.differences:
        on_its_terms = (
            "The decision that waits compares it per unit and month."
            if measured.by is not None
            else "There is no estimate for its terms."
        )
        return Summary(
            "A quote for something else",
            f"{quoted} It is not for what was asked. {on_its_terms}",
            Figures(quoted=offer.amount),
        )
    strategy = measured.by
    if strategy is None:
        return Summary(
            "A quote came", f"{quoted} There are no numbers to measure it by.", Figures(quoted=offer.amount)
        )
    reasons = {finding.reason for finding in findings}
    target, walk_away = in_words(strategy.target.amount), in_words(strategy.walk_away.amount)
    figures = Figures(quoted=offer.amount, target=strategy.target.amount, walk_away=strategy.walk_away.amount)
    if measured.amount != offer.amount:
        quoted += " Part of it is for what the numbers do not cover, and is left aside here."
    if "quote_above_walk_away" in reasons:
        verdict = f"That is above the walk-away of {walk_away}; the target is {target}."
        return Summary("A quote above the walk-away", f"{quoted} {verdict}", figures)
    if "quote_within_target" in reasons:
        return Summary(
            "A quote within the target", f"{quoted} That is within the target of {target}.", figures
        )
    verdict = f"That is between the target of {target} and the walk-away of {walk_away}: there is room left."
    return Summary("A quote above the target", f"{quoted} {verdict}", figures)


def earlier_offer(offer: Offer) -> Summary:
    return Summary(
        "An earlier quote was added",
        f"The supplier had first asked for {in_words(offer.amount)} {offer.currency}."
        " Savings are measured against that.",
        Figures(quoted=offer.amount),
    )


def countered(amount: Decimal, currency: str) -> Summary:
    return Summary(
        "A counter offer",
        f"The next offer to the supplier is {in_words(amount)} {currency}.",
        Figures(counter=amount),
    )


def accepted(offer: Offer | None) -> Summary:
    if offer is None:
        return Summary("Accepted", "The buyer accepts. The agreement is to be recorded when it is signed.")
    return Summary(
        "The quote is accepted",
        f"The buyer accepts {in_words(offer.amount)} {offer.currency}."
        " The agreement is to be recorded when it is signed.",
        Figures(quoted=offer.amount),
    )


def walked_away() -> Summary:
    return Summary(
        "The buyer walks away",
        "Tell the supplier no. The negotiation ends when a cancellation is recorded.",
    )


def agreed(amount: Decimal, currency: str, savings: Savings | None) -> Summary:
    start = f"Agreed at {in_words(amount)} {currency}."
    if savings is None:
        return Summary(
            "Agreed",
            f"{start} There was no offer and no estimate to measure savings by.",
            Figures(agreed=amount),
        )
    quoted = {"quoted": savings.baseline} if savings.against == "first_offer" else {}
    against = "the first offer" if savings.against == "first_offer" else "the median estimate"
    baseline = f" of {in_words(savings.baseline)}" if quoted else ""
    rate = "" if savings.rate is None else f", {savings.rate.normalize():f} %"
    return Summary(
        "Agreed",
        f"{start} Savings against {against}{baseline}: {in_words(savings.saved)} {currency}{rate}.",
        Figures(agreed=amount, savings=savings.saved, savings_rate=savings.rate, **quoted),
    )


def cancelled() -> Summary:
    return Summary("Cancelled", "The negotiation is over without an agreement.")


def silent() -> Summary:
    return Summary("The supplier is silent", "Nothing has come from the supplier. Ask again, or walk away.")


def expiring(offer: Offer) -> Summary:
    return Summary(
        "The quote expires soon",
        f"The quote of {in_words(offer.amount)} {offer.currency} will soon be void.",
        Figures(quoted=offer.amount),
    )


def message_waits(amount: Decimal | None, currency: str | None, figures: Figures) -> Summary:
    """A letter that somebody must send by hand: no mail server is set, or no address is known."""
    offers = "" if amount is None else f" It offers {in_words(amount)} {currency} for the whole."
    return Summary(
        "A letter to the supplier waits to be sent",
        f"No mail goes out by itself: copy the draft, send it, and mark it as sent.{offers}",
        figures,
    )
