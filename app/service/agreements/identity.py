"""What makes two descriptions the same agreement: its supplier and its number there, else its name and first
day. Pure."""

from hashlib import blake2b

from app.contract.agreements import NewAgreement
from app.service.catalog.names import company_key
from app.service.text_folding import fold_text


def build_identity_key(agreed: NewAgreement) -> str:
    """Return a key that is equal for descriptions of the same agreement, however its supplier's name is
    spelt."""
    supplier = company_key(agreed.supplier_name) if agreed.supplier_name else ""
    if agreed.reference:
        parts = ("reference", supplier, fold_text(agreed.reference))
    else:
        parts = ("name", supplier, fold_text(agreed.name), str(agreed.term_start or ""))
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
