"""The mixture's coefficients before a deployment has fitted its own.

Fitted by `tests/benchmarks/prior_fitting.py` to purchases of four public bodies (medicines, office
supplies, hourly rates, university equipment), each estimated from its whole set and from a few dozen of it;
those that a deployment fits are drawn towards them.
"""

import numpy as np

from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.evidence import PAIR_FEATURES, QUERY_FEATURES

_PAIR_COEFFICIENTS: dict[str, tuple[float, float, float, float]] = {
    # feature: log_weight, repeat_logit, log_width, adjustment_share
    "same product": (3.426, 2.192, -0.635, -0.135),
    "text": (5.278, 0.392, -0.444, 0.036),
    "text squared": (0.149, 0.359, -0.097, 0.026),
    "same supplier": (0.366, 0.867, -0.083, -0.257),
    "same product and supplier": (0.878, 0.507, -0.105, -0.108),
    "same unit": (0.492, 0.300, -0.114, 0.247),
    "same product and unit": (0.470, 0.202, -0.137, -0.126),
    "dimensions": (2.110, 0.290, 0.102, -0.055),
    "dimensions of the same product": (2.496, 0.286, -0.068, -0.085),
    "quantity gap": (-0.568, -0.091, 0.260, 0.246),
    "quantity gap of the same product": (0.435, 0.079, -0.300, -0.258),
    "years": (-1.011, -0.699, -0.209, -0.453),
    "years of the same product": (-0.969, -0.385, 0.365, 0.073),
    "adjustment": (-0.015, -0.280, 0.260, -0.147),
    "square root of adjustment": (-0.459, -0.241, 0.219, -0.099),
    "same family": (0.190, -0.031, -0.205, -0.029),
    "same brand": (0.035, 0.197, -0.124, -0.004),
    "term gap": (-0.500, -0.500, 0.200, 0.000),
    "same type": (-0.110, -0.009, 0.028, -0.027),
    "price shared": (-0.464, 0.567, -0.073, -0.142),
    "price shared of the same product": (0.270, 0.499, -0.092, -0.000),
    "larger quantity": (-0.050, -0.050, -0.007, 0.091),
    "larger quantity of the same product": (0.084, -0.010, -0.010, -0.061),
    "always": (-0.110, -3.009, -0.972, -0.027),
}
_QUERY_COEFFICIENTS: dict[str, tuple[float, float, float, float]] = {
    # feature: the hedonic component's log_weight and log_width, the blend's log_weight and log_width
    "always": (1.189, 0.531, 0.921, 0.534),
    "best text": (-0.103, -0.296, -0.092, -0.240),
    "best text squared": (-0.064, -0.219, -0.055, -0.182),
    "any same product": (0.015, -0.025, 0.009, -0.025),
    "ln same products": (0.044, 0.073, 0.035, 0.064),
}


def _flatten() -> Floats:
    pairs = np.array([_PAIR_COEFFICIENTS[name] for name in PAIR_FEATURES], dtype=np.float64)
    queries = np.array([_QUERY_COEFFICIENTS[name] for name in QUERY_FEATURES], dtype=np.float64)
    return np.concatenate([pairs.T.ravel(), queries.T.ravel()])


PRIOR_COEFFICIENTS = _flatten()

PRIOR_RELIABILITY: tuple[float, ...] = (
    0.002, 0.012, 0.033, 0.091, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5,
    0.594, 0.641, 0.688, 0.735, 0.783, 0.833, 0.886, 0.93, 0.977, 0.998, 0.998,
)  # fmt: skip
"""The predicted probabilities that stand for those of `GRID` before anything was learnt: where the prices of
each of the four sets lay that were estimated with a prior fitted to the other three
(`tests/benchmarks/unlearnt.py`)."""
