"""What a negotiation aims at: its three numbers, what helps to get them, and what was paid before."""

from typing import Annotated, Literal

from pydantic import Field

from .model import Reply
from .values import Number, open_words

LeverKind = Literal[
    "volume",
    "longer_term",
    "payment_up_front",
    "fiscal_year_end",
    "competitor",
    "uplift",
    "uplift_cap",
    "auto_renewal",
]


class Position(Reply):
    """One of the three numbers, the reason for it, and how many purchases it is based on. `origin` says
    where it comes from: the `estimate`, a `quote` in hand when the strategy was made, or a person who `typed`
    it."""

    amount: Number
    reason: str
    purchases: int
    origin: Annotated[str, open_words("estimate", "quote", "typed")] = Field(
        default="estimate",
        description="Where the number comes from: the estimate, a quote, or a person who typed it.",
    )


class Lever(Reply):
    """A fact that helps to get a better price. `purchases` is the number behind it, 0 for a fact that was
    read in a document or is on record of the supplier; `tightens` says that it applies now. `worth` is what
    it may save, before tax in the negotiation's currency, and `basis` says how that is calculated."""

    kind: Annotated[str, open_words(LeverKind)] = Field(description="What kind of lever it is.")
    statement: str
    purchases: int
    tightens: bool = Field(description="Whether the lever applies now, and speaks for a lower price.")
    worth: Number | None = Field(default=None, description="What it may save, before tax.")
    basis: str | None = Field(default=None, description="How its worth was calculated.")


class StrategyShown(Reply):
    """The current three numbers; each is absent until it is set. They are set when the strategy is made. A
    person or new evidence can change them, an offer never does. `coverage` says in words how much of the
    quote the estimate covers."""

    opening: Position | None = None
    target: Position | None = None
    walk_away: Position | None = None
    median: Number | None = None
    unavailable: str | None = Field(default=None, description="Why there are no numbers.")
    coverage: str | None = Field(
        default=None, description="How much of the quote the estimate covers, in words."
    )
    levers: list[Lever] = Field(description="What may lower the price, with its evidence.")


class PreviousPrice(Reply):
    """What the organisation last paid for the same products, at this quantity and term. `basis` says when."""

    amount: Number
    basis: str = Field(description="When that was.")
