"""What a first guess of the roles says of the figures beside and under each other."""

import numpy as np
from numpy.typing import NDArray

from app.service.documents.learned.arithmetic import is_about_product
from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.roles import ROLES

_QUANTITY, _PRICE, _AMOUNT = ROLES.index("quantity"), ROLES.index("unit_price"), ROLES.index("amount")
_ZERO = 0.005
_SIMPLE = (
    "sum_of_amounts", "more_than_amounts", "rank", "best_of_role", "closes", "amounts_above", "amounts_below",
)  # fmt: skip
NEIGHBOURS = (
    *(f"guess_{role}" for role in ROLES),
    *(f"column_{role}" for role in ROLES),
    *(f"row_{role}" for role in ROLES),
    *(f"left_{role}" for role in ROLES),
    *(f"right_{role}" for role in ROLES),
    *_SIMPLE,
)


def describe_neighbours(features: FigureFeatures, guesses: NDArray[np.float64]) -> NDArray[np.float64]:
    """A row of `NEIGHBOURS` for each figure."""
    count, roles = guesses.shape
    of_column = np.zeros((count, roles))
    for column in {id(one): one for one in features.columns}.values():
        members = list(column.members)
        of_column[members] = guesses[members].mean(axis=0)
    of_row = np.zeros((count, roles))
    left, right = np.zeros((count, roles)), np.zeros((count, roles))
    for members in features.rows.values():
        total = guesses[members]
        for place, index in enumerate(members):
            others = np.delete(total, place, axis=0)
            if len(others):
                of_row[index] = others.max(axis=0)
            if place:
                left[index] = total[place - 1]
            if place + 1 < len(members):
                right[index] = total[place + 1]
    return np.hstack([guesses, of_column, of_row, left, right, _simple(features, guesses)])


def _simple(features: FigureFeatures, guesses: NDArray[np.float64]) -> NDArray[np.float64]:
    """How each figure stands to the amounts of the first guess."""
    figures = features.figures
    values = np.array([one.value for one in figures])
    likely = (guesses[:, _AMOUNT] > 0.5) & (np.abs(values) > _ZERO)
    whole = float(values[likely].sum()) if likely.any() else 0.0
    found = np.zeros((len(figures), len(_SIMPLE)))
    if likely.sum() > 1 or (likely.any() and abs(whole) > _ZERO):
        found[:, 0] = np.abs(values - whole) < 0.02
        found[:, 1] = values / whole if whole else 0.0
    found[:, 2] = np.argsort(np.argsort(-values))
    best = guesses.max(axis=0)
    found[:, 3] = np.any(guesses == best, axis=1)
    found[:, 4] = _closes(features, guesses)
    above = np.cumsum(likely)
    found[:, 5] = above - likely
    found[:, 6] = likely.sum() - above
    return found


def _closes(features: FigureFeatures, guesses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Whether the likeliest quantity and price of the row make the likeliest amount, for those three."""
    found = np.zeros(len(features.figures))
    for members in features.rows.values():
        if len(members) < 3:
            continue
        part = guesses[members]
        chosen = [members[int(part[:, role].argmax())] for role in (_QUANTITY, _PRICE, _AMOUNT)]
        if len(set(chosen)) < 3:
            continue
        quantity, price, amount = (features.figures[index] for index in chosen)
        if is_about_product(
            quantity.value * price.value, amount.value, quantity.value, price.figure.decimals
        ):
            found[chosen] = 1
    return found
