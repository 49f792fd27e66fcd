"""Executive summaries: a title, a few sentences and their figures. Every number of the text is a figure, so
texts name no supplier and no product: names have numbers of their own. Pure."""

from dataclasses import dataclass, field
from decimal import Decimal

from app.contract.money import format_exact_money
from app.contract.negotiation import Figures
from app.service.negotiation.offers.offer import Offer, OfferBenchmark, OfferFinding
from app.service.negotiation.offers.savings import AgreedPrice
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
        f"The target is {format_exact_money(at.target.amount, currency)} and the walk-away"
        f" {format_exact_money(at.walk_away.amount, currency)}. The strategy explains each number.",
        Figures(target=at.target.amount, walk_away=at.walk_away.amount),
    )


MISSING_NUMBERS = SummaryDraft(
    "The strategy is ready, without numbers",
    "No estimate could be made, so there is no target or walk-away until someone enters them."
    " The strategy still lists its levers.",
)


MISSING_SCOPE = SummaryDraft(
    "A scope is needed",
    "What is to be bought is not known yet. Attach a quote, or continue without numbers.",
)


def summarise_changed_numbers(strategy: Strategy) -> SummaryDraft:
    """A person or new evidence changed the numbers."""
    at, currency = strategy, strategy.currency
    return SummaryDraft(
        "The numbers were changed",
        f"The opening is {format_exact_money(at.opening.amount, currency)}, the target"
        f" {format_exact_money(at.target.amount, currency)} and the walk-away"
        f" {format_exact_money(at.walk_away.amount, currency)}. The timeline says why.",
        Figures(opening=at.opening.amount, target=at.target.amount, walk_away=at.walk_away.amount),
    )


def summarise_correction(before: Offer, after: Offer | None) -> SummaryDraft:
    """An offer was corrected, or withdrawn where `after` is None."""
    if after is None:
        return SummaryDraft(
            "A quote was withdrawn",
            f"The quote of {format_exact_money(before.amount, before.currency)} no longer counts.",
            Figures(quoted=before.amount),
        )
    return SummaryDraft(
        "A quote was corrected",
        f"The quote is {format_exact_money(after.amount, after.currency)}.",
        Figures(quoted=after.amount),
    )


def summarise_offer(offer: Offer, findings: list[OfferFinding], benchmark: OfferBenchmark) -> SummaryDraft:
    quoted = f"The supplier quotes {format_exact_money(offer.amount, offer.currency)}."
    if benchmark.differences:
        on_its_terms = (
            "The open decision compares it per unit and month."
            if benchmark.strategy is not None
            else "There is no estimate for its terms."
        )
        return SummaryDraft(
            "A quote on different terms",
            f"{quoted} It does not match the scope. {on_its_terms}",
            Figures(quoted=offer.amount),
        )
    strategy = benchmark.strategy
    if strategy is None:
        return SummaryDraft(
            "A quote arrived",
            f"{quoted} There are no numbers to compare it with.",
            Figures(quoted=offer.amount),
        )
    reasons = {finding.reason for finding in findings}
    target = format_exact_money(strategy.target.amount, strategy.currency)
    walk_away = format_exact_money(strategy.walk_away.amount, strategy.currency)
    figures = Figures(quoted=offer.amount, target=strategy.target.amount, walk_away=strategy.walk_away.amount)
    if benchmark.compared_amount != offer.amount:
        quoted += " Part of it is for items that the numbers do not cover, and is left out of the comparison."
    if "quote_above_walk_away" in reasons:
        verdict = f"That is above the walk-away of {walk_away}; the target is {target}."
        return SummaryDraft("A quote above the walk-away", f"{quoted} {verdict}", figures)
    if "quote_within_target" in reasons:
        return SummaryDraft(
            "A quote within the target", f"{quoted} That is within the target of {target}.", figures
        )
    verdict = f"That is between the target of {target} and the walk-away of {walk_away}: negotiate further."
    return SummaryDraft("A quote above the target", f"{quoted} {verdict}", figures)


def summarise_earlier_offer(offer: Offer) -> SummaryDraft:
    return SummaryDraft(
        "An earlier quote was added",
        f"The supplier's first offer was {format_exact_money(offer.amount, offer.currency)}."
        " Savings are measured against it.",
        Figures(quoted=offer.amount),
    )


def summarise_counter_offer(amount: Decimal, currency: str) -> SummaryDraft:
    return SummaryDraft(
        "A counter-offer",
        f"The next offer to the supplier is {format_exact_money(amount, currency)}.",
        Figures(counter=amount),
    )


def summarise_acceptance(offer: Offer | None) -> SummaryDraft:
    if offer is None:
        return SummaryDraft("Accepted", "The buyer accepts. Record the agreed price once it is signed.")
    return SummaryDraft(
        "The quote is accepted",
        f"The buyer accepts {format_exact_money(offer.amount, offer.currency)}."
        " Record the agreed price once it is signed.",
        Figures(quoted=offer.amount),
    )


WALK_AWAY = SummaryDraft(
    "The buyer walks away",
    "Decline the supplier's offer. The negotiation ends once a cancellation is recorded.",
)


def summarise_agreement(agreement: AgreedPrice, currency: str) -> SummaryDraft:
    amount, savings = agreement.amount, agreement.savings
    start = f"Agreed at {format_exact_money(amount, currency)}."
    if savings is None:
        why = agreement.unmeasured or "There was no offer or estimate to measure savings against."
        return SummaryDraft("Agreed", f"{start} {why}", Figures(agreed=amount))
    quoted = {"quoted": savings.baseline} if savings.against == "first_offer" else {}
    against = "the first offer" if savings.against == "first_offer" else "the median estimate"
    baseline = f" of {format_exact_money(savings.baseline, currency)}" if quoted else ""
    rate = "" if savings.rate is None else f" ({savings.rate.normalize():f} %)"
    return SummaryDraft(
        "Agreed",
        f"{start} Saved against {against}{baseline}: {format_exact_money(savings.saved, currency)}{rate}."
        f" {agreement.unmeasured or ''}".rstrip(),
        Figures(agreed=amount, savings=savings.saved, savings_rate=savings.rate, **quoted),
    )


CANCELLATION = SummaryDraft("Cancelled", "The negotiation ended without an agreed price.")


def summarise_silent_supplier(told: str) -> SummaryDraft:
    answers = f"{told} Wait for the answer" if told else "Send a reminder"
    return SummaryDraft(
        "The supplier has not replied",
        f"Nothing has arrived from the supplier. {answers}, or walk away.",
    )


def summarise_expiring_quote(offer: Offer) -> SummaryDraft:
    return SummaryDraft(
        "The quote expires soon",
        f"The quote of {format_exact_money(offer.amount, offer.currency)} is about to expire.",
        Figures(quoted=offer.amount),
    )


def summarise_draft_letter(amount: Decimal | None, currency: str | None, figures: Figures) -> SummaryDraft:
    """A letter waits for a person to send it: no mail server is set, or no address is known."""
    offers = (
        ""
        if amount is None
        else f" It offers {format_exact_money(amount, currency or '')} for the whole scope."
    )
    return SummaryDraft(
        "A letter to the supplier is ready to send",
        f"Letters are not sent automatically: copy the draft, send it, and mark it as sent.{offers}",
        figures,
    )
