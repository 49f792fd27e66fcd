"""The result of matching a document with the catalog."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from app.contract.catalog import PricingDimension
from app.service.stored_record import OMITTED, StoredRecord


@dataclass(frozen=True)
class LineMatch:
    """The catalog product that a line means. `score` is in per cent."""

    product_id: str
    product_name: str
    score: float
    matched_by: str
    dimensions: Sequence[PricingDimension]
    quantity_dimension_id: str | None
    company_name: str = ""


@dataclass(frozen=True)
class ProductCandidate(StoredRecord):
    """A product that a line may mean: `score` in per cent, `why` in words."""

    product_id: str
    product_name: str
    company_id: str
    company_name: str
    score: float
    why: str


@dataclass(frozen=True)
class MatchedLine:
    """The match of one line. `match` is None where it is not certain; then `question` asks for it.
    `candidates` are other products, the likeliest first."""

    match: LineMatch | None = None
    candidates: Sequence[ProductCandidate] = ()
    question: str | None = None


@dataclass(frozen=True)
class CompanyCandidate(StoredRecord):
    """A company that a supplier's name may mean, and why."""

    company_id: str
    name: str
    why: str


@dataclass(frozen=True)
class SupplierMatch(StoredRecord):
    """Who a document is from: the name as read and the company of the catalog, where it is one."""

    name: Annotated[str | None, OMITTED] = None
    company_id: Annotated[str | None, OMITTED] = None
    company_name: Annotated[str | None, OMITTED] = None
    candidates: Sequence[CompanyCandidate] = ()


@dataclass(frozen=True)
class MatchedDocument:
    """A document matched with the catalog; `lines` is parallel to the document's lines."""

    supplier: SupplierMatch
    lines: Sequence[MatchedLine]
