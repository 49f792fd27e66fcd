"""Catalog entries proposed for lines without a product."""

import pytest

from app.service.scopes.extraction_to_scope import propose_entry
from tests.service.scopes.conftest import build_line


@pytest.mark.parametrize(
    ("description", "name", "edition"),
    [
        ("Brightmoor Sales - Growth Edition", "Brightmoor Sales", "Growth"),
        ("Desk Pro", "Desk Pro", None),
        ("Desk (Team)", "Desk", "Team"),
        ("Desk, Enterprise, 120 named users, 12 months", "Desk", "Enterprise"),
        ("Kestrel Business Plan", "Kestrel", "Business"),
        ("Standard Success Plan", "Standard Success Plan", None),
        ("Managed PostgreSQL 8 vCPU", "Managed PostgreSQL 8 vCPU", None),
        ("Light Agent Pack (50)", "Light Agent Pack (50)", None),
        (
            "Pflasterfläche vorbereiten, Planum herstellen",
            "Pflasterfläche vorbereiten, Planum herstellen",
            None,
        ),
        ("25 x Desk", "Desk", None),
        ("10 licenze di Desk per 12 mesi", "Desk", None),
        ("Desk - Edizione Growth, 3 anni", "Desk", "Growth"),
        ("10 licenças de Desk por 12 meses", "Desk", None),
        ("Desk - Edição Growth, 2 anos", "Desk", "Growth"),
        ("Piano di sicurezza", "Piano di sicurezza", None),
    ],
)
def test_an_entry_is_proposed_without_words_about_this_purchase(
    description: str, name: str, edition: str | None
) -> None:
    proposed = propose_entry(build_line(description))
    assert proposed is not None
    assert proposed.name == name
    assert [one.option for one in proposed.dimensions] == ([edition] if edition else [])
