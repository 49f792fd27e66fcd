"""A scope on record, with its terms, the lines of the quote behind it and the state of its document. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.contract.owners import Owner
from app.contract.scope import DocumentProcessing
from app.service.scopes.quote import QuoteLine
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, add_final_prices


@dataclass(frozen=True, slots=True)
class StoredScope:
    """What one organisation wants to buy. `document_scope_id` names the scope whose document is the quote
    behind this one, often itself; `quote_lines` are the lines of that quote. `title`, `status` and the
    supplier are as `listing` stored them. `document` is None for a scope that was made by hand."""

    id: str
    organisation_id: str
    source: str
    created_on: datetime
    currency: str
    scope_terms: Sequence[StoredScopeTerm]
    product_terms: Sequence[StoredProductTerm]
    previous_scope_id: str | None
    next_scope_id: str | None
    document_scope_id: str | None
    quote_lines: Sequence[QuoteLine] | None
    title: str
    status: str
    company_id: str | None
    supplier_name: str | None
    archived_at: datetime | None
    sample: bool
    owners: Sequence[Owner]
    document: DocumentProcessing | None

    @property
    def months(self) -> int:
        """The length of all its terms, one after the other."""
        return sum(term.months for term in self.scope_terms)

    @property
    def stated_total(self) -> Decimal | None:
        """The price that it states for the whole, before tax; None where a term states none."""
        return add_final_prices(self.scope_terms)

    @property
    def product_ids(self) -> set[str]:
        return {term.product_id for term in self.product_terms}

    @property
    def is_being_read(self) -> bool:
        """Whether its document is still to be read."""
        return self.document is not None and self.document.status in {"pending", "processing"}

    @property
    def is_complete(self) -> bool:
        """Whether all that it is to say is on record: it was made by hand, or its document was read."""
        return self.document is None or self.document.status == "completed"
