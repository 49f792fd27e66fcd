"""A mixed-integer program, built row by row and solved by HiGHS (https://highs.dev, MIT)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

import highspy
import numpy as np


class Outcome(Enum):
    OPTIMAL = auto()
    TIME_IS_OVER = auto()
    INFEASIBLE = auto()


@dataclass(frozen=True, slots=True)
class Solution:
    """`values` by variable, none where no solution is known; `bound` is what no solution is below."""

    outcome: Outcome
    values: tuple[float, ...] | None
    bound: float


@dataclass(slots=True)
class IntegerProgram:
    """Minimise the costs of the variables; all of them are from 0 to 1."""

    costs: list[float] = field(default_factory=list[float])
    whole: list[bool] = field(default_factory=list[bool])
    rows: list[tuple[Mapping[int, float], float, float]] = field(
        default_factory=list[tuple[Mapping[int, float], float, float]]
    )

    def add_binary(self, cost: float = 0.0) -> int:
        """Return the index of a new variable that is 0 or 1."""
        return self._add(cost, whole=True)

    def add_share(self, cost: float) -> int:
        """Return the index of a new variable between 0 and 1."""
        return self._add(cost, whole=False)

    def add_row(
        self, factors: Mapping[int, float], lower: float = -math.inf, upper: float = math.inf
    ) -> None:
        """Keep the sum of variables times factors between two bounds."""
        self.rows.append((factors, lower, upper))

    def solve(self, seconds: float, start: Mapping[int, float] | None = None) -> Solution:
        """Return the best solution found in so many seconds. `start` is a solution that is known already, by
        its variables that are not 0."""
        if not self.costs:  # HiGHS looks at no row of a program without variables
            possible = all(lower <= 0 <= upper for _, lower, upper in self.rows)
            return Solution(Outcome.OPTIMAL, (), 0.0) if possible else Solution(Outcome.INFEASIBLE, None, 0.0)
        solver = highspy.Highs()
        solver.silent()
        for name, value in (
            ("time_limit", max(seconds, 0.01)),
            ("threads", 1),
            ("mip_rel_gap", 0.0),
            ("mip_feasibility_tolerance", 1e-9),
            ("primal_feasibility_tolerance", 1e-9),
        ):
            solver.setOptionValue(name, value)
        solver.passModel(self._make_model())
        if start is not None:
            known = highspy.HighsSolution()
            known.col_value = [start.get(index, 0.0) for index in range(len(self.costs))]
            solver.setSolution(known)
        solver.run()
        return _describe(solver)

    def _add(self, cost: float, *, whole: bool) -> int:
        self.costs.append(cost)
        self.whole.append(whole)
        return len(self.costs) - 1

    def _make_model(self) -> highspy.HighsLp:
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self.costs), len(self.rows)
        model.col_cost_ = np.array(self.costs)
        model.col_lower_ = np.zeros(len(self.costs))
        model.col_upper_ = np.ones(len(self.costs))
        kinds = highspy.HighsVarType
        model.integrality_ = [kinds.kInteger if whole else kinds.kContinuous for whole in self.whole]
        model.row_lower_ = np.array([lower for _, lower, _ in self.rows])
        model.row_upper_ = np.array([upper for _, _, upper in self.rows])
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.cumsum([0, *(len(factors) for factors, _, _ in self.rows)])
        matrix.index_ = np.array([index for factors, _, _ in self.rows for index in factors])
        matrix.value_ = np.array([value for factors, _, _ in self.rows for value in factors.values()])
        return model


def _describe(solver: highspy.Highs) -> Solution:
    status, info = solver.getModelStatus(), solver.getInfo()
    known = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    values = tuple(solver.getSolution().col_value) if known else None
    statuses = highspy.HighsModelStatus
    if status == statuses.kOptimal:
        return Solution(Outcome.OPTIMAL, values, info.objective_function_value)
    # All variables are bounded, so "unbounded or infeasible" is infeasible.
    if status in (statuses.kInfeasible, statuses.kUnboundedOrInfeasible):
        return Solution(Outcome.INFEASIBLE, None, math.inf)
    if status == statuses.kTimeLimit:
        return Solution(Outcome.TIME_IS_OVER, values, info.mip_dual_bound)
    raise RuntimeError(f"HiGHS ended with {solver.modelStatusToString(status)}.")
