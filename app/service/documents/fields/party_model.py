"""Which name of a document sells and which buys: a trained model, which labels and places inform.

`party_model.npz` holds boosted trees, `party_model.md` what they were trained with and how well they do on
sources that were left out. `python -m tests.reader_training.parties` writes both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.service.documents.fields.party_features import PartyName, Side
from app.service.documents.learned.model import Matrix, Trees, load_trees
from app.service.documents.values.company_names import fold_name

MODEL: Final = Path(__file__).with_suffix(".npz")
CLASSES: Final = ("none", "supplier", "buyer")
_LEAST: Final[dict[Side, float]] = {"supplier": 0.15, "buyer": 0.17}
"""How probable a party must be at least: below, naming nobody is right more often."""
_RULED: Final = 1.25
"""How much more a name counts for a side that labels and places give it."""
_CERTAIN: Final = 0.6
_COMPARED: Final = 6
"""How many of the most probable names of each side are compared with those of the other."""


@dataclass(frozen=True)
class ChosenParties:
    """The supplier and the buyer; `certain` tells that hardly any other name may be the supplier's."""

    supplier: PartyName | None
    buyer: PartyName | None
    certain: bool


@cache
def load_party_model() -> Trees:
    """The model, loaded once for each process."""
    with np.load(MODEL, allow_pickle=False) as stored:
        return load_trees(stored, "parties")


def choose_parties(names: Sequence[PartyName]) -> ChosenParties:
    """The most probable supplier and buyer of different names."""
    if not names:
        return ChosenParties(None, None, certain=False)
    features = np.array([one.features for one in names], dtype=np.float64)
    return choose_most_probable(names, load_party_model().predict(features, len(CLASSES)))


def choose_most_probable(names: Sequence[PartyName], probabilities: Matrix) -> ChosenParties:
    """The pair that is most probable, given the probability of each class for each name."""
    keys = [fold_name(one.name) for one in names]
    best, chosen = 0.0, (None, None)
    for seller, sells in _list_probable(names, "supplier", probabilities[:, 1]):
        for buyer, buys in _list_probable(names, "buyer", probabilities[:, 2]):
            alike = seller is not None and buyer is not None and are_forms(keys[seller], keys[buyer])
            if sells * buys > best and not alike:
                best, chosen = sells * buys, (seller, buyer)
    seller, buyer = chosen
    return ChosenParties(
        None if seller is None else names[seller],
        None if buyer is None else names[buyer],
        certain=seller is not None and bool(probabilities[seller, 1] >= _CERTAIN),
    )


def _list_probable(
    names: Sequence[PartyName], side: Side, probable: NDArray[np.float64]
) -> list[tuple[int | None, float]]:
    """The most probable names of a side with what speaks for each, and nobody."""
    weights = probable * np.array([_RULED if side in one.ruled else 1.0 for one in names])
    order = np.argsort(-weights, kind="stable")[:_COMPARED]
    return [(None, _LEAST[side]), *((int(at), float(weights[at])) for at in order)]


def are_forms(one: str, other: str) -> bool:
    """Whether one of two names is a part of the other."""
    return one in other or other in one
