"""The model's price is the sum of what it knows of the words, values and numbers of a purchase."""

import numpy as np
import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.hedonic_model import VOLUME, HedonicModel, Scale
from app.service.pricing.estimator.text_similarity import BUCKETS, word_bucket
from tests.service.pricing.made_up_purchases import purchase


def test_a_number_far_out_counts_four_widths_and_an_unknown_one_nothing() -> None:
    scale = Scale(centre=10, width=2)
    assert scale.feature(np.array([12.0, 1000.0, -1000.0, np.nan])).tolist() == [1, 4, -4, 0]


def test_words_and_numbers_add_to_the_mean() -> None:
    coefficients = np.zeros(BUCKETS, dtype=np.float32)
    coefficients[word_bucket("blue")] = 0.5
    model = HedonicModel(2.0, coefficients, {VOLUME: Scale(np.log(10), 1.0, -0.25)})
    candidates = Candidates.from_purchases(
        [purchase(), purchase(product="Red ballpoint pen"), purchase(quantity=10 * np.e)]
    )
    assert model.predict(candidates) == pytest.approx([2.5, 2.0, 2.25], abs=1e-6)


def test_a_model_that_was_not_fitted_says_the_mean() -> None:
    assert HedonicModel(3.0).predict(Candidates.from_purchases([purchase()])).tolist() == [3.0]
