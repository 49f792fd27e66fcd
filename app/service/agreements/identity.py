"""What makes two descriptions the same agreement: its supplier and its number there, else its name and first
day. One that is called by its supplier alone has neither: another of the same supplier is another agreement
unless it says the same. Pure."""

import json
from hashlib import blake2b

from app.contract.agreements import NewAgreement
from app.service.catalog.names import company_key
from app.service.text_folding import fold_text

_OF_CATALOG = frozenset({"companyId", "supplierName", "name"})
"""What is called otherwise once the catalog knows the supplier."""


def is_unnamed(agreed: NewAgreement) -> bool:
    """Return whether an agreement has no number, and no other name than its supplier's."""
    supplier = agreed.supplier_name
    return not agreed.reference and supplier is not None and company_key(agreed.name) == company_key(supplier)


def build_identity_key(agreed: NewAgreement) -> str:
    """Return a key that is equal for descriptions of the same agreement, however its supplier's name is
    spelt."""
    supplier = company_key(agreed.supplier_name) if agreed.supplier_name else ""
    if agreed.reference:
        parts = ("reference", supplier, fold_text(agreed.reference))
    elif is_unnamed(agreed):
        values = {name: value for name, value in agreed.wire().items() if name not in _OF_CATALOG}
        parts = ("values", supplier, json.dumps(values, sort_keys=True, default=str))
    else:
        parts = ("name", supplier, fold_text(agreed.name), str(agreed.term_start or ""))
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
