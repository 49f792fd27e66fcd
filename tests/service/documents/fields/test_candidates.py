"""Values that a field may have."""

from app.service.documents.extraction import Provenance
from app.service.documents.fields.candidates import Candidate, best

PLACE = Provenance(1, None, 1.0)


def test_a_score_is_the_sum_of_its_reasons() -> None:
    assert Candidate("Q-1", {"label": 2.0, "row": -0.5}, PLACE).score == 1.5


def test_the_highest_score_is_best_and_of_equal_ones_the_first() -> None:
    first, second = (Candidate(name, {"label": 2.0}, PLACE) for name in ("Q-1", "Q-2"))
    assert best([Candidate("Q-0", {"label": 1.0}, PLACE), first, second]) is first
    assert best([]) is None


def test_the_greater_weight_of_one_reason_counts() -> None:
    candidate = Candidate("Example Ltd", {"label": 2.0}, PLACE)
    assert candidate.with_reason("label", 1.0).score == 2.0
    assert candidate.with_reason("label", 3.0).score == 3.0
    assert candidate.with_reason("footer", -1.0).score == 1.0
