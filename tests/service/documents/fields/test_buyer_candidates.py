"""Who may have bought."""

from app.service.documents.fields.buyer_candidates import buyer_candidates
from app.service.documents.fields.candidates import Candidate
from tests.service.documents.typewriter import type_document


def candidates(text: str) -> dict[str, Candidate[str]]:
    return {one.value: one for one in buyer_candidates(type_document(text).rows, {1: 800})}


def test_a_strong_label_outweighs_a_weak_one() -> None:
    found = candidates("Bill to: Mundarra Council\n\n\nShip to: Wharf Depot")
    assert found["Mundarra Council"].score > found["Wharf Depot"].score
    assert found["Mundarra Council"].provenance.page == 1


def test_a_clerk_is_less_likely_than_a_company() -> None:
    found = candidates("Buyer: Ann Lee\n\n\nCustomer: Mundarra Timber Pty Ltd")
    assert "clerk" in found["Ann Lee"].reasons
    assert found["Mundarra Timber Pty Ltd"].score > found["Ann Lee"].score
