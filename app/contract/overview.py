"""What waits for an organisation, what changed, and its figures: an extension, see `/v1/openapi`."""

from typing import Annotated, Literal, get_args

from .model import Reply
from .values import Id, Number, ReplyInstant, open_words

WaitingKind = Literal[
    "decision", "deadline", "draft", "review", "unreadable", "reading", "expiring", "webhook"
]
ChangeKind = Literal[
    "document_read", "document_failed", "offer", "decision_needed", "agreement", "cancellation"
]

MAX_WAITING_ITEMS = 5
"""Of each kind."""
MAX_CHANGES = 10
CHANGE_DAYS = 7
"""How far back changes go where the caller names no moment."""
EXPIRY_DAYS = 14
"""An offer that ends within so many days is shown as expiring."""
DEADLINE_DAYS = 30
"""An agreement to act on within so many days is shown as a deadline."""


class WaitingItem(Reply):
    """One thing that waits. It has the id of the record where it is dealt with; `count` says how many letters
    of a negotiation, or deliveries to a webhook, it stands for."""

    name: str
    detail: str | None = None
    count: int
    due_at: ReplyInstant = None
    scope_id: Id | None = None
    negotiation_id: Id | None = None
    webhook_id: Id | None = None
    agreement_id: Id | None = None


class WaitingGroup(Reply):
    """What waits of one kind: `total` of them, of which `items` are the most urgent."""

    kind: Annotated[str, open_words(*get_args(WaitingKind))]
    total: int
    items: list[WaitingItem]


class OverviewChange(Reply):
    """Something that happened to a scope or a negotiation."""

    kind: Annotated[str, open_words(*get_args(ChangeKind))]
    happened_at: ReplyInstant
    name: str
    detail: str | None = None
    scope_id: Id | None = None
    negotiation_id: Id | None = None


class Overview(Reply):
    """What waits for the organisation, by kind, and what changed, the newest first. A kind of which nothing
    waits is left out. `scopes` and `negotiations` count all that are on record."""

    waiting: list[WaitingGroup]
    changes: list[OverviewChange]
    more_changes: bool
    scopes: int
    negotiations: int


class AgreedSum(Reply):
    """What was agreed in one currency, with suppliers of the sample data or with real ones. `saved` is
    counted from `baseline` over the `measured` negotiations, those that have one."""

    currency: str
    sample: bool
    agreements: int
    agreed: Number
    measured: int
    baseline: Number
    saved: Number


class SpentSum(Reply):
    """The organisation's own purchases on record in one currency, sample suppliers left out. `withoutTerm` of
    them are paid again and again and state no term: of each, one period is in the `amount`."""

    currency: str
    purchases: int
    suppliers: int
    amount: Number
    without_term: int = 0


class OverviewFigures(Reply):
    """Spend and savings of the organisation since a day a year ago."""

    since: ReplyInstant
    agreed: list[AgreedSum]
    spent: list[SpentSum]
