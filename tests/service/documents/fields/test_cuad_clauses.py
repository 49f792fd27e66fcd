"""Notice periods and renewal terms of real contracts, as the annotators of CUAD read them.

The sentences are of the Contract Understanding Atticus Dataset v1 (The Atticus Project, CC BY 4.0); none
of them was trained with.
"""

import ast
import csv
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import pytest

from app.service.documents.fields.clause_agreement import agree_on_clauses
from app.service.documents.fields.clause_readings import read_clause_sentences
from app.service.documents.fields.clauses import read_clauses
from tests.service.documents.typewriter import type_sentences
from tests.shared_material import shared

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_MONTHS = {"month": 1, "year": 12}


def _list_answers(column: str, units: dict[str, int]) -> Iterator[tuple[list[str], int]]:
    """The quoted texts of each contract and the number that the annotators read in them."""
    with shared("data/cuad/clauses.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            found = re.search(r"(\d+(?:\.\d+)?) (day|week|month|year)", row[column].lower())
            texts = row[f"{column}_text"]
            if found and found[2] in units and texts not in ("", "[]"):
                count = int(Decimal(found[1]) * units[found[2]])
                yield ast.literal_eval(texts) if texts.startswith("[") else [texts], count


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("column", "field", "units"),
    [("notice_period", "notice_days", _DAYS), ("renewal_term", "renewal_months", _MONTHS)],
)
def test_the_clauses_of_real_contracts_are_read_and_none_is_verified_wrongly(
    column: str, field: str, units: dict[str, int]
) -> None:
    counts: Counter[str] = Counter()
    for texts, stated in _list_answers(column, units):
        sentences = [sentence for text in texts for sentence in type_sentences(text)]
        clauses = agree_on_clauses(read_clauses(sentences), read_clause_sentences(sentences))
        right = getattr(clauses, field) == stated
        counts["all"] += 1
        counts["right"] += right
        place = clauses.provenance.get(field)
        if place and place.verified:
            counts["verified"] += 1
            counts["verified wrongly"] += not right
    assert counts["right"] / counts["all"] >= 0.85, counts
    assert counts["verified"] / counts["all"] >= 0.5, counts
    assert counts["verified wrongly"] == 0, counts
