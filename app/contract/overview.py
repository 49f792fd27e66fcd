"""What waits for an organisation, what changed, its figures, and records found by words: an extension, see
`/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import Field

from .model import Reply
from .values import Flag, Id, Number, ReplyInstant, open_words

WaitingKind = Literal[
    "decision", "deadline", "draft", "review", "unreadable", "reading", "expiring", "webhook", "approval"
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

    name: str = Field(
        description="The supplier, the name of the document, the address of the webhook, or what is approved."
    )
    detail: str | None = Field(
        default=None,
        description="What is to be decided or approved, or why the webhook was turned off.",
    )
    count: int = Field(description="How many letters or failed deliveries it stands for.")
    due_at: ReplyInstant = Field(default=None, description="When it is due, or the offer ends.")
    amount: Number | None = Field(
        default=None,
        description="What its negotiation would cost before tax if it ended now, or what the quote asks.",
    )
    currency: str | None = Field(default=None, description="That of the amount.")
    scope_id: Id | None = None
    negotiation_id: Id | None = None
    webhook_id: Id | None = Field(default=None, description="The webhook, by its id.")
    approval_id: Id | None = Field(default=None, description="The call that waits for a second person.")
    agreement_id: Id | None = None


class WaitingGroup(Reply):
    """What waits of one kind: `total` of them, of which `items` are the most urgent."""

    kind: Annotated[str, open_words(WaitingKind)] = Field(description="What waits, as one word.")
    total: int = Field(description="How many of them wait.")
    items: list[WaitingItem] = Field(description="The most urgent of them.")


class OverviewChange(Reply):
    """Something that happened to a scope or a negotiation."""

    kind: Annotated[str, open_words(ChangeKind)] = Field(description="What happened, as one word.")
    happened_at: ReplyInstant
    name: str = Field(description="The supplier of the negotiation, or the name of the document.")
    detail: str | None = Field(
        default=None, description="What is to be decided, or why a document could not be read."
    )
    scope_id: Id | None = None
    negotiation_id: Id | None = None


class Overview(Reply):
    """What waits for the organisation, by kind, and what changed, the newest first. A kind of which nothing
    waits is left out. `scopes` and `negotiations` count all that are on record."""

    waiting: list[WaitingGroup] = Field(description="What waits for a person, by kind.")
    changes: list[OverviewChange] = Field(description="What changed, the newest first.")
    more_changes: bool = Field(description="Whether there are more changes than are given.")
    scopes: int = Field(description="How many scopes are on record.")
    negotiations: int = Field(description="How many negotiations are on record.")


class AgreedSum(Reply):
    """What was agreed in one currency, with suppliers of the sample data or with real ones. `saved` is
    counted from `baseline` over the `measured` negotiations, those that have one."""

    currency: str
    sample: bool = Field(description="Whether the suppliers are those of the sample data.")
    agreements: int = Field(description="How many negotiations ended with an agreed price.")
    agreed: Number = Field(description="What was agreed: totals before tax.")
    measured: int = Field(description="How many of them have a baseline.")
    baseline: Number = Field(description="What was measured against: totals before tax.")
    saved: Number


class SpentSum(Reply):
    """The organisation's own purchases on record in one currency, sample suppliers left out. `withoutTerm` of
    them are paid again and again and state no term: of each, one period is in the `amount`."""

    currency: str
    purchases: int = Field(description="How many purchases they are.")
    suppliers: int = Field(description="How many suppliers they were made from.")
    amount: Number = Field(description="What they cost for their whole terms, before tax.")
    without_term: int = Field(
        default=0, description="How many state no term, although paid again: one period of each is counted."
    )


class OpenSum(Reply):
    """What is open in one currency. `unpriced` of the records state no amount, which is not in the sum."""

    currency: str | None = Field(default=None, description="None where no amount is known.")
    records: int = Field(description="How many negotiations or agreements it is of.")
    amount: Number = Field(description="What is known of them, before tax.")
    unpriced: int = Field(default=0, description="How many state no amount.")


class OverviewFigures(Reply):
    """Spend and savings of the organisation since a day a year ago, and what is open now: the sample data as
    long as that counts, else what is real."""

    since: ReplyInstant = Field(description="The first day that counts.")
    agreed: list[AgreedSum] = Field(description="What was agreed, by currency, the sample data apart.")
    at_stake: list[OpenSum] = Field(
        default_factory=list[OpenSum],
        description="The newest quotes of negotiations under way, or their targets where there is none.",
    )
    due: list[OpenSum] = Field(
        default_factory=list[OpenSum],
        description="What renews, or is paid in a year, by agreements to act on within 30 days.",
    )
    spent: list[SpentSum] = Field(description="What the own purchases on record cost, by currency.")


SearchKind = Literal["supplier", "product", "scope", "negotiation", "agreement", "document"]

MIN_SEARCH_LENGTH = 2
MAX_SEARCH_LENGTH = 200
DEFAULT_SEARCH_LIMIT = 5
MAX_SEARCH_LIMIT = 20
"""Of each group."""


class SearchHit(Reply):
    """A record that was found. `detail` tells it from others of the same name: the supplier's domain, or the
    supplier of a product, scope, agreement or document. A document has the id of the scope that it was read
    into, or of the negotiation that it is attached to. `archived` is there where a scope, or that of a
    document, is archived."""

    id: Id = Field(
        description="Its id; of a document that of the scope that it was read into, or of its attachment."
    )
    name: str
    detail: str | None = Field(
        default=None, description="What tells it from others of the same name, such as its supplier."
    )
    created_at: ReplyInstant = None
    scope_id: Id | None = None
    negotiation_id: Id | None = None
    archived: Flag | None = Field(
        default=None, description="`true` where the scope, or that of the document, is archived."
    )


class SearchGroup(Reply):
    """What was found of one kind; `more` says whether there is more of it."""

    kind: Annotated[str, open_words(SearchKind)] = Field(description="Of what kind the records are.")
    hits: list[SearchHit] = Field(description="What was found, the best first.")
    more: bool = Field(description="Whether there is more of this kind.")


class SearchResults(Reply):
    """What was found, by kind. A kind of which nothing was found is left out."""

    groups: list[SearchGroup] = Field(
        default_factory=list[SearchGroup], description="What was found, by kind."
    )
