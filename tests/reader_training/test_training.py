"""Training of the learned reader: repeatable, predicted without the library, of use beyond its layouts."""

from pathlib import Path

import numpy as np
import pytest

from app.service.documents.learned.model import load_model
from tests.reader_training.boosting import boost, flatten_trees, train_model
from tests.reader_training.generator import LAYOUTS
from tests.reader_training.train import make_examples, measure, write_model

pytestmark = pytest.mark.campaign


def test_training_twice_gives_the_same_model(tmp_path: Path) -> None:
    layouts = list(LAYOUTS)[:4]
    for name in ("first.npz", "second.npz"):
        write_model(train_model(make_examples(layouts, 4)), tmp_path / name)
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_flat_trees_predict_what_the_library_predicts() -> None:
    random = np.random.default_rng(1)
    features = random.normal(size=(400, 6)).round(1)
    targets = (features[:, 0] + features[:, 1] * 2 > 0).astype(np.int64) + (features[:, 2] > 1) * 2
    booster = boost(features, targets, np.ones(len(features)), rounds=8)
    predicted = flatten_trees(booster.dump_model()["tree_info"]).predict(features)
    np.testing.assert_allclose(predicted, np.asarray(booster.predict(features)), atol=1e-5)


def test_a_model_reads_as_before_it_was_written(tmp_path: Path) -> None:
    examples = make_examples(list(LAYOUTS)[:3], 4)
    model = train_model(examples)
    write_model(model, tmp_path / "model.npz")
    stored = load_model(tmp_path / "model.npz")
    for example in examples:
        np.testing.assert_allclose(stored.find_roles(example.features), model.find_roles(example.features))


@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(3))
def test_layouts_left_out_of_training_are_read(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Each third of the classes is left out in turn, trained without and measured with. Prints the table."""
    layouts = list(LAYOUTS)
    left_out = layouts[part::3]
    model = train_model(make_examples([name for name in layouts if name not in left_out], 15))
    scores = measure(model, left_out, 5)
    with capsys.disabled():
        print("\n| layout left out | documents | lines | precision | totals | nets | taxes | all right |")
        print("|---|---|---|---|---|---|---|---|")
        for layout, score in scores.items():
            if score.documents:
                print(f"| {layout} | {score.as_row()} |")
    everything = scores.values()
    lines = sum(one.lines_right for one in everything) / sum(one.lines for one in everything)
    totals = sum(one.right["total"] for one in everything) / sum(one.stated["total"] for one in everything)
    assert lines > 0.6
    assert totals > 0.85
