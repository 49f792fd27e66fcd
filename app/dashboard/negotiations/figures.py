"""The figures of a negotiation and their currency, from its summary and, where there is one, its timeline."""

from collections.abc import Sequence

from app.contract.negotiation import ExecutiveSummary, Figures, NegotiationSummary, Timeline
from app.dashboard.deployment import Deployment
from app.dashboard.negotiations.offers import list_valid_offers
from app.dashboard.scopes.scope_currency import find_scope_currency


def find_currency(deployment: Deployment, negotiation: NegotiationSummary, timeline: Timeline | None) -> str:
    """Return the currency of the timeline, else that of the scope, else ""."""
    if timeline and timeline.currency:
        return timeline.currency
    return find_scope_currency(deployment, negotiation.scope.id) if negotiation.scope.id else ""


def get_latest_figures(summaries: Sequence[ExecutiveSummary]) -> Figures:
    """Return each figure from the newest summary that states it."""
    values: dict[str, object] = {}
    for summary in summaries:
        for name in Figures.model_fields:
            value = getattr(summary.figures, name)
            if value is not None:
                values.setdefault(name, value)
    return Figures.model_validate(values)


def combine_figures(negotiation: NegotiationSummary, timeline: Timeline | None) -> Figures:
    """Return the figures of the summaries, with the quote and the three numbers of the timeline, which are
    newer."""
    figures = get_latest_figures(negotiation.executive_summaries)
    if timeline is None:
        return figures
    offers = list_valid_offers(timeline.entries)
    strategy = timeline.strategy
    positions = {"opening": strategy.opening, "target": strategy.target, "walk_away": strategy.walk_away}
    known = {name: position.amount for name, position in positions.items() if position is not None}
    return figures.model_copy(update={"quoted": offers[-1].amount if offers else None, **known})
