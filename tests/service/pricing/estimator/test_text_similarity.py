import pytest

from app.service.pricing.estimator.text_similarity import DocumentFrequencies

TEXTS = [
    "HP 80A black toner cartridge CF280A",
    "TONER CARTRIDGE, BLACK, HEWLETT PACKARD CF-280A",
    "Binder clips, large, box of 12",
    "Black ballpoint pen",
]


def test_the_same_article_in_other_words_is_the_most_similar() -> None:
    alike = DocumentFrequencies.from_texts(TEXTS).similarities_to(TEXTS[0], TEXTS)
    assert alike[0] == pytest.approx(1.0)
    assert alike[1] == sorted(alike)[-2]
    assert alike[1] > 2 * max(alike[2], alike[3])


def test_texts_without_words_are_similar_to_nothing() -> None:
    assert (
        DocumentFrequencies.from_texts(TEXTS).similarities_to("---", [*TEXTS, "---", ""]).tolist()
        == [0.0] * 6
    )
