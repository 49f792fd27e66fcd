"""A card shows the newest figures and the open decisions of a negotiation."""

import pytest

from app.contract.negotiation import Timeline
from app.contract.strategy import StrategyShown
from app.dashboard.negotiations.board import (
    combine_figures,
    count_open_escalations,
    get_latest_figures,
    list_negotiation,
)
from components.negotiations.board import get_at_stake
from tests.components.negotiations.fixtures import make_negotiation


def test_each_figure_is_the_newest_that_is_known() -> None:
    newest, *others = make_negotiation().executive_summaries
    without_target = newest.figures.model_copy(update={"target": None})
    figures = get_latest_figures([newest.model_copy(update={"figures": without_target}), *others])
    assert figures.quoted == 56_000
    assert figures.target == 45_100


@pytest.mark.parametrize(("status", "stake"), [("active", 56_000), ("complete", None), ("cancelled", None)])
def test_what_is_over_is_not_at_stake(status: str, stake: int | None) -> None:
    assert get_at_stake(list_negotiation(make_negotiation(status))) == stake


def test_decisions_that_are_waited_for_are_counted() -> None:
    negotiation = make_negotiation()
    assert count_open_escalations(negotiation) == 1
    expired = negotiation.escalations[0].model_copy(update={"status": "expired"})
    assert count_open_escalations(negotiation.model_copy(update={"escalations": [expired]})) == 0


def test_numbers_that_are_no_more_are_not_shown() -> None:
    """The newest summary still has the target that was set before the evidence was gone."""
    timeline = Timeline.model_construct(entries=[], strategy=StrategyShown(unavailable="Gone.", levers=[]))
    figures = combine_figures(make_negotiation(), timeline)
    assert (figures.opening, figures.target, figures.walk_away) == (None, None, None)
