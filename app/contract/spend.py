"""What is spent by agreements. An extension, see `/v1/openapi`."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from .model import Reply
from .page import ListQuery
from .values import Number, open_words

SpendBy = Literal["supplier", "category", "owner", "costCenter", "month"]
MAX_SPEND_MONTHS = 120
_MONTH = re.compile(r"(19[0-9]{2}|20[0-8][0-9]|209[0-8])-(0[1-9]|1[0-2])", re.ASCII)


def _check_month(value: str) -> str:
    if not _MONTH.fullmatch(value):
        raise ValueError("must be a month from 1900-01 to 2098-12, such as 2026-11")
    return value


Month = Annotated[
    str,
    AfterValidator(_check_month),
    WithJsonSchema({"type": "string", "maxLength": 7, "pattern": f"^({_MONTH.pattern})$"}),
]


class SpendGroup(Reply):
    """What one group costs in one currency. A term's recurring price is spread evenly over its days, what is
    paid once counts on its first. `assumed` is the part of terms after the first: at the price on record,
    which may have risen since."""

    key: str = Field(description="What it is grouped by: an id or a name.")
    name: str = Field(description="What it is grouped by, for people.")
    currency: str
    agreements: int = Field(description="How many agreements are part of it.")
    recurring: Number = Field(description="What is paid again in each term, before tax.")
    one_time: Number = Field(description="What is paid once, before tax.")
    assumed: Number = Field(description="The part of terms after the first, at the price on record.")


class SpendReport(Reply):
    """What is spent from the first to the last month, both included, before tax: agreements hold no tax.
    Currencies are not added up. An agreement with several owners or categories is divided among them."""

    by: Annotated[str, open_words(SpendBy)] = Field(description="What it is grouped by.")
    first: Month = Field(description="The first month.")
    last: Month = Field(description="The last month.")
    sums: list[SpendGroup] = Field(description="All of it, one sum for each currency.")
    groups: list[SpendGroup] = Field(description="The groups, the largest first; months in their order.")
    left_out: int = Field(
        description="How many agreements are in no sum: price, dates or currency are not known."
    )


class SpendQuery(ListQuery, total=False):
    """How spend is grouped, and for which months."""

    by: Annotated[SpendBy | None, Field(description="What to group by; the supplier by default.")]
    first: Annotated[
        Month | None, Field(description="The first month, such as 2026-01; the current year's by default.")
    ]
    last: Annotated[
        Month | None,
        Field(description=f"The last month, at most {MAX_SPEND_MONTHS} after the first; twelve by default."),
    ]
