"""What a printed figure can be, and how probable that is."""

from collections.abc import Sequence
from math import log
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

_LEAST = 0.003

FigureRole: TypeAlias = Literal[
    "quantity", "unit_price", "list_price", "amount", "period",
    "subtotal", "discount", "tax", "total", "other",
]  # fmt: skip
"""`period` is the number of months, or of other periods, that an amount is charged for; `discount` is of a
line or of the document, in percent or money."""

ROLES: tuple[FigureRole, ...] = get_args(FigureRole)
"""In the order of the columns of the model's probabilities."""

_NO_MONEY: frozenset[FigureRole] = frozenset({"quantity", "period", "other"})
_OF_MONEY = [index for index, role in enumerate(ROLES) if role not in _NO_MONEY]


class RoleScores:
    """The model's probabilities by figure and role, and their log odds."""

    def __init__(self, probabilities: NDArray[np.float64], measured: Sequence[int] = ()) -> None:
        """`measured` are the figures that are no money, whatever the model makes of them."""
        probabilities[np.ix_(measured, _OF_MONEY)] = 0
        self._probabilities: list[list[float]] = probabilities.tolist()

    def probability(self, index: int, role: FigureRole) -> float:
        return self._probabilities[index][ROLES.index(role)]

    def score(self, index: int, role: FigureRole) -> float:
        """The log odds of a role, within those of 0.3 and 99.7 percent."""
        likely = min(max(self.probability(index, role), _LEAST), 1 - _LEAST)
        return log(likely / (1 - likely))
