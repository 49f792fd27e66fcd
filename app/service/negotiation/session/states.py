"""The states of a negotiation and every move between them. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from app.contract.negotiation import FINAL_STATUSES, NegotiationStatus

UpdateKind = Literal[
    "quote", "message", "decision", "agreement", "strategy", "correction", "cancellation", "note"
]
"""The kinds of external updates."""

MOVES: Mapping[tuple[NegotiationStatus, NegotiationStatus], str] = MappingProxyType(
    {
        ("planning", "pending"): "the strategy is ready",
        ("pending", "active"): "the supplier answered, or the buyer gave the go-ahead",
        ("planning", "cancelled"): "a cancellation",
        ("pending", "cancelled"): "a cancellation",
        ("active", "cancelled"): "a cancellation",
        ("active", "complete"): "an agreed price",
    }
)
"""Every move there is, with its cause. Any other is refused."""

_TOO_EARLY_TO_AGREE: Mapping[NegotiationStatus, str] = MappingProxyType(
    {
        "planning": "The strategy is not ready yet: report the agreed price once it is.",
        "pending": "Nothing was negotiated yet: report the supplier's offer or message first, or give the"
        " go-ahead, and then report the agreed price.",
    }
)


class MoveRefused(Exception):
    """The current state does not allow this; the message says why in a sentence."""


def check_move(current: NegotiationStatus, target: NegotiationStatus) -> NegotiationStatus:
    """Return the state after the move. Raises MoveRefused when the table has no such move."""
    if (current, target) not in MOVES:
        raise MoveRefused(f"A negotiation that is {current} cannot become {target}.")
    return target


def require_open(current: NegotiationStatus) -> None:
    """Raise MoveRefused in a state that is final."""
    if current in FINAL_STATUSES:
        raise MoveRefused(f"The negotiation is {current}, which is final.")


def next_status(current: NegotiationStatus, kind: UpdateKind, *, go_ahead: bool = False) -> NegotiationStatus:
    """Return the state that an update leads to, often the same. `go_ahead` says that a decision is the
    buyer's go-ahead. Raises MoveRefused."""
    if current == "complete" and kind == "correction":
        raise MoveRefused(
            "The negotiation is complete: what was agreed, saved and put on record as a purchase rests on its"
            " offers as they stand. If one was wrong, start a new negotiation and record the offers there."
        )
    require_open(current)
    if kind == "agreement":
        if current in _TOO_EARLY_TO_AGREE:
            raise MoveRefused(_TOO_EARLY_TO_AGREE[current])
        return check_move(current, "complete")
    if kind == "cancellation":
        return check_move(current, "cancelled")
    if go_ahead and current != "active":
        return check_move(current, "active")
    if kind in {"quote", "message"} and current == "pending":
        return check_move(current, "active")
    return current
