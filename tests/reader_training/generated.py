"""What the generator of training documents gives: a file, its truth, and what each printed figure is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from app.service.documents.extraction import Box

Role: TypeAlias = Literal[
    "item", "quantity", "unit_price", "list_price", "amount", "period",
    "subtotal", "discount", "tax", "total", "other",
]  # fmt: skip
"""What a printed text is. `item` is the description of a line; every other role is of a figure. `period` is
the number of months, or of other periods, that an amount is charged for."""


@dataclass(frozen=True, slots=True)
class Label:
    """The role of a printed text. `page` counts from 1; `box` is in points from the upper left corner; `line`
    is the index of its line in the truth, None for what belongs to the document."""

    page: int
    box: Box
    text: str
    role: Role
    line: int | None = None


@dataclass(frozen=True)
class GeneratedDocument:
    """A drawn document. `layout` names its class of layout; `truth` has the keys of the truth files of
    `shared/data` (see its README), so that the same scores serve both."""

    layout: str
    seed: int
    filename: str
    content: bytes
    truth: Mapping[str, Any]
    labels: tuple[Label, ...]
