"""What is not known of agreements. An extension, see `/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import Field

from .agreements import Agreement, AsOfDay
from .model import Reply
from .page import ListPage, ListQuery
from .values import open_words

MissingName = Literal[
    "supplierName",
    "owners",
    "currency",
    "totalValue",
    "termStart",
    "termEnd",
    "renewalType",
    "autoRenewalTermMonths",
    "noticePeriod",
]
"""What an agreement can miss: the fields that its dates, a reminder or a comparison need."""


class MissingDetailsQuery(ListQuery, total=False):
    """Which agreements with missing details are listed."""

    field: Annotated[MissingName | None, Field(description="Only those of which this is not known.")]
    as_of: Annotated[
        AsOfDay | None,
        Field(description="The day that dates are computed for; today by default."),
    ]


class MissingField(Reply):
    """Of how many agreements a field is not known, and for how many of them there is no deadline because of
    it."""

    field: Annotated[str, open_words(MissingName)] = Field(description="The field that is not known.")
    total: int = Field(description="Of how many agreements it is not known.")
    deadlines: int = Field(description="For how many agreements there is no deadline because of it.")


class MissingDetailsPage(ListPage[Agreement]):
    """A page of the agreements of which something is not known, those that cost most each year first; those
    that have ended are left out. `fields` counts over all of them, the field first without which most
    deadlines cannot be computed. `withoutDeadline` counts those for which nobody knows by when to act."""

    fields: list[MissingField] = Field(
        default_factory=list[MissingField],
        description="How many agreements miss each field, of all that miss something.",
    )
    without_deadline: int = Field(
        default=0, description="For how many agreements nobody knows by when to act."
    )
