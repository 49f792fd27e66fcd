"""What an entry of the timeline stores as its `content`, by its kind."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

Numbers = Mapping[str, str]
"""Opening, target and walk-away as exact amounts."""


class UpdateContent(TypedDict, total=False):
    """An external update as it came: the whole content of a message, an agreement and a cancellation."""

    payload: Mapping[str, object]
    schema: object


class OfferSource(UpdateContent, total=False):
    """Where an offer comes from. `atStart` says that it was there when the negotiation began."""

    atStart: bool
    attachmentId: str
    clauses: Mapping[str, Any]
    text: str


class QuoteContent(OfferSource):
    """An offer."""

    offer: Mapping[str, Any]


class CorrectionContent(UpdateContent):
    """A correction of the offer in the entry `corrects`. Without an `offer`, that one is withdrawn."""

    corrects: str
    offer: Mapping[str, Any] | None


class DecisionContent(UpdateContent):
    """A decision of a person. `counter` is the amount that the buyer offers."""

    escalationId: NotRequired[str]
    counter: NotRequired[str]


NumbersChange = TypedDict("NumbersChange", {"from": Numbers | None, "to": Numbers | None, "text": str})
"""The numbers before and after they were changed."""


class StrategyContent(NumbersChange, UpdateContent):
    """A change of the numbers: from new evidence, or by an external update."""


StateContent = TypedDict("StateContent", {"from": str, "to": str, "because": str})
"""A move to another status."""

RefusedContent = TypedDict("RefusedContent", {"kind": str, "text": str, "from": str, "externalId": str})
"""An external update of this kind that was refused. `from` is its source."""


class PlannedContent(TypedDict):
    """The end of planning. `purchases` is the number of those that the estimate rests on."""

    purchases: int
    text: NotRequired[str]


class AttachmentContent(TypedDict):
    """A file that makes no offer."""

    attachmentId: str
    text: str
    clauses: NotRequired[Mapping[str, Any]]


class MailContent(TypedDict):
    """A letter that was sent."""

    mailId: str
    text: str


class PurchaseContent(TypedDict):
    """The agreed price was, or could not be, saved as purchases."""

    text: str


EntryContent = (
    UpdateContent
    | QuoteContent
    | CorrectionContent
    | DecisionContent
    | StrategyContent
    | StateContent
    | RefusedContent
    | PlannedContent
    | AttachmentContent
    | MailContent
    | PurchaseContent
)
