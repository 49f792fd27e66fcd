"""How probable each role of each figure is."""

from math import log

import numpy as np
from numpy.typing import NDArray

from app.service.documents.learned.roles import ROLES, FigureRole

_LEAST = 0.003


class RoleScores:
    """The model's probabilities by figure and role, and their log odds."""

    def __init__(self, probabilities: NDArray[np.float64]) -> None:
        self._probabilities: list[list[float]] = probabilities.tolist()

    def probability(self, index: int, role: FigureRole) -> float:
        return self._probabilities[index][ROLES.index(role)]

    def score(self, index: int, role: FigureRole) -> float:
        """The log odds of a role, within those of 0.3 and 99.7 percent."""
        likely = min(max(self.probability(index, role), _LEAST), 1 - _LEAST)
        return log(likely / (1 - likely))
