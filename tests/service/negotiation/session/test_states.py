"""Only the transitions of the table are allowed."""

from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.negotiation import FINAL_STATUSES, NegotiationStatus
from app.service.negotiation.session.states import (
    MOVES,
    MoveRefused,
    UpdateKind,
    check_move,
    next_status,
)

STATUSES: tuple[NegotiationStatus, ...] = get_args(NegotiationStatus)
KINDS: tuple[UpdateKind, ...] = get_args(UpdateKind)


@pytest.mark.parametrize(
    ("current", "to"), [pair for pair in product(STATUSES, repeat=2) if pair not in MOVES]
)
def test_a_transition_that_is_not_in_the_table_is_refused(
    current: NegotiationStatus, to: NegotiationStatus
) -> None:
    with pytest.raises(MoveRefused):
        check_move(current, to)


def test_the_table_is_that_of_the_design() -> None:
    assert set(MOVES) == {
        ("planning", "pending"),
        ("pending", "active"),
        ("planning", "cancelled"),
        ("pending", "cancelled"),
        ("active", "cancelled"),
        ("active", "complete"),
    }


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.booleans())))
def test_updates_follow_the_table_and_never_leave_a_final_state(
    updates: list[tuple[UpdateKind, bool]],
) -> None:
    status: NegotiationStatus = "planning"
    for kind, go_ahead in updates:
        try:
            after = next_status(status, kind, go_ahead=go_ahead and kind == "decision")
        except MoveRefused:
            continue
        assert status not in FINAL_STATUSES
        assert after == status or (status, after) in MOVES
        status = after


@pytest.mark.parametrize(
    ("status", "remedy"), [("planning", "once it is"), ("pending", "offer or message first")]
)
def test_a_price_that_is_agreed_too_early_is_refused_with_what_comes_first(
    status: NegotiationStatus, remedy: str
) -> None:
    with pytest.raises(MoveRefused, match=remedy):
        next_status(status, "agreement")
