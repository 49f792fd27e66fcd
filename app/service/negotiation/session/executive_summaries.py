"""Executive summaries: a title, a few sentences and their figures. Every number of the text is a figure, so
texts name no supplier and no product: names have numbers of their own. Pure."""

from dataclasses import dataclass, field
from decimal import Decimal

from app.contract.negotiation import Figures
from app.service.negotiation.amounts import format_amount
from app.service.negotiation.offers.agreement import Agreement
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.offers.offer_findings import OfferBenchmark, OfferFinding
from app.service.negotiation.strategy.strategy import Strategy


@dataclass(frozen=True, slots=True)
class SummaryDraft:
    title: str
    text: str
    figures: Figures = field(default_factory=Figures)


def summarise_strategy(strategy: Strategy) -> SummaryDraft:
    at, currency = strategy, strategy.currency
    return SummaryDraft(
        "The strategy is ready",
        f"Aim for {format_amount(at.target.amount)} {currency}. Walk away above"
        f" {format_amount(at.walk_away.amount)} {currency}. The strategy says what each rests on.",
        Figures(target=at.target.amount, walk_away=at.walk_away.amount),
    )


def summarise_missing_numbers() -> SummaryDraft:
    return SummaryDraft(
        "The strategy is ready, without numbers",
        "No estimate could be made, so there is no target and no walk-away until a person types them."
        " The strategy still lists its levers.",
    )


def summarise_missing_scope() -> SummaryDraft:
    return SummaryDraft(
        "A scope is needed", "It is not known what is to be bought. Attach a quote, or go on without numbers."
    )


def summarise_changed_numbers(strategy: Strategy) -> SummaryDraft:
    """A person or new evidence changed the numbers."""
    at, currency = strategy, strategy.currency
    return SummaryDraft(
        "The numbers were changed",
        f"Open with {format_amount(at.opening.amount)} {currency}, aim for {format_amount(at.target.amount)},"
        f" walk away above {format_amount(at.walk_away.amount)} {currency}. The timeline says why.",
        Figures(opening=at.opening.amount, target=at.target.amount, walk_away=at.walk_away.amount),
    )


def summarise_correction(before: Offer, after: Offer | None) -> SummaryDraft:
    """An offer was corrected, or withdrawn where `after` is None."""
    if after is None:
        return SummaryDraft(
            "A quote was withdrawn",
            f"The quote of {format_amount(before.amount)} {before.currency} does not count any more.",
            Figures(quoted=before.amount),
        )
    return SummaryDraft(
        "A quote was corrected",
        f"It is for {format_amount(after.amount)} {after.currency}.",
        Figures(quoted=after.amount),
    )


def summarise_offer(offer: Offer, findings: list[OfferFinding], benchmark: OfferBenchmark) -> SummaryDraft:
    quoted = f"The supplier asks for {format_amount(offer.amount)} {offer.currency}."
    if benchmark.differences:
        on_its_terms = (
            "The decision that waits compares it per unit and month."
            if benchmark.strategy is not None
            else "There is no estimate for its terms."
        )
        return SummaryDraft(
            "A quote for something else",
            f"{quoted} It is not for what was asked. {on_its_terms}",
            Figures(quoted=offer.amount),
        )
    strategy = benchmark.strategy
    if strategy is None:
        return SummaryDraft(
            "A quote came", f"{quoted} There are no numbers to measure it by.", Figures(quoted=offer.amount)
        )
    reasons = {finding.reason for finding in findings}
    target, walk_away = format_amount(strategy.target.amount), format_amount(strategy.walk_away.amount)
    figures = Figures(quoted=offer.amount, target=strategy.target.amount, walk_away=strategy.walk_away.amount)
    if benchmark.compared_amount != offer.amount:
        quoted += " Part of it is for what the numbers do not cover, and is not counted here."
    if "quote_above_walk_away" in reasons:
        verdict = f"That is above the walk-away of {walk_away}; the target is {target}."
        return SummaryDraft("A quote above the walk-away", f"{quoted} {verdict}", figures)
    if "quote_within_target" in reasons:
        return SummaryDraft(
            "A quote within the target", f"{quoted} That is within the target of {target}.", figures
        )
    verdict = f"That is between the target of {target} and the walk-away of {walk_away}: there is room left."
    return SummaryDraft("A quote above the target", f"{quoted} {verdict}", figures)


def summarise_earlier_offer(offer: Offer) -> SummaryDraft:
    return SummaryDraft(
        "An earlier quote was added",
        f"The supplier had first asked for {format_amount(offer.amount)} {offer.currency}."
        " Savings are measured against that.",
        Figures(quoted=offer.amount),
    )


def summarise_counter_offer(amount: Decimal, currency: str) -> SummaryDraft:
    return SummaryDraft(
        "A counter offer",
        f"The next offer to the supplier is {format_amount(amount)} {currency}.",
        Figures(counter=amount),
    )


def summarise_acceptance(offer: Offer | None) -> SummaryDraft:
    if offer is None:
        return SummaryDraft(
            "Accepted", "The buyer accepts. The agreement is to be recorded when it is signed."
        )
    return SummaryDraft(
        "The quote is accepted",
        f"The buyer accepts {format_amount(offer.amount)} {offer.currency}."
        " The agreement is to be recorded when it is signed.",
        Figures(quoted=offer.amount),
    )


def summarise_walk_away() -> SummaryDraft:
    return SummaryDraft(
        "The buyer walks away",
        "Tell the supplier no. The negotiation ends when a cancellation is recorded.",
    )


def summarise_agreement(agreement: Agreement, currency: str) -> SummaryDraft:
    amount, savings = agreement.amount, agreement.savings
    start = f"Agreed at {format_amount(amount)} {currency}."
    if savings is None:
        return SummaryDraft(
            "Agreed",
            f"{start} There was no offer and no estimate to measure savings by.",
            Figures(agreed=amount),
        )
    quoted = {"quoted": savings.baseline} if savings.against == "first_offer" else {}
    against = "the first offer" if savings.against == "first_offer" else "the median estimate"
    baseline = f" of {format_amount(savings.baseline)}" if quoted else ""
    rate = "" if savings.rate is None else f", {savings.rate.normalize():f} %"
    return SummaryDraft(
        "Agreed",
        f"{start} Savings against {against}{baseline}: {format_amount(savings.saved)} {currency}{rate}.",
        Figures(agreed=amount, savings=savings.saved, savings_rate=savings.rate, **quoted),
    )


def summarise_cancellation() -> SummaryDraft:
    return SummaryDraft("Cancelled", "The negotiation is over without an agreement.")


def summarise_silent_supplier() -> SummaryDraft:
    return SummaryDraft(
        "The supplier is silent", "Nothing has come from the supplier. Ask again, or walk away."
    )


def summarise_expiring_quote(offer: Offer) -> SummaryDraft:
    return SummaryDraft(
        "The quote expires soon",
        f"The quote of {format_amount(offer.amount)} {offer.currency} will soon be void.",
        Figures(quoted=offer.amount),
    )


def summarise_draft_letter(amount: Decimal | None, currency: str | None, figures: Figures) -> SummaryDraft:
    """A letter waits for a person to send it: no mail server is set, or no address is known."""
    offers = "" if amount is None else f" It offers {format_amount(amount)} {currency} for the whole."
    return SummaryDraft(
        "A letter to the supplier waits to be sent",
        f"No mail goes out by itself: copy the draft, send it, and mark it as sent.{offers}",
        figures,
    )
