"""The mixture's coefficients before a deployment has fitted its own.

Fitted to purchases of four public bodies together (medicines, office supplies, hourly rates, university
equipment) by `learning.mixture_fitting.fit_mixture`; those that a deployment fits are drawn towards them.
"""

import numpy as np

from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.evidence import PAIR_FEATURES, QUERY_FEATURES

_PAIR_COEFFICIENTS: dict[str, tuple[float, float, float, float]] = {
    # feature: log_weight, repeat_logit, log_width, adjustment_share
    "same product": (2.602, 2.567, -1.092, -3.173),
    "text": (7.575, 2.199, -0.980, 2.017),
    "text squared": (-0.072, 0.688, 0.767, 1.498),
    "same supplier": (0.440, 3.587, 0.146, -1.847),
    "same product and supplier": (2.624, -0.334, -0.093, 0.544),
    "same unit": (1.147, 0.739, 0.843, 2.368),
    "same product and unit": (1.594, 1.109, -0.144, -1.017),
    "dimensions": (2.152, 1.342, 0.423, -1.719),
    "dimensions of the same product": (4.526, 1.198, 0.985, 0.202),
    "quantity gap": (-0.656, -0.247, 0.198, 0.882),
    "quantity gap of the same product": (0.512, 0.325, -0.498, 0.010),
    "years": (-1.487, -2.199, -0.285, -3.613),
    "years of the same product": (-1.795, 0.621, 0.538, 0.242),
    "adjustment": (0.943, -0.690, 0.551, 0.068),
    "square root of adjustment": (-1.583, -0.068, -0.317, -0.876),
    "same family": (-0.098, -0.041, -0.804, 1.317),
    "same brand": (-0.526, -0.269, -0.447, 0.411),
    "term gap": (-0.500, -0.500, 0.200, 0.000),
    "same type": (0.486, -1.193, -0.500, -0.357),
    "price shared": (0.0, 0.0, 0.0, 0.0),
    "price shared of the same product": (0.0, 0.0, 0.0, 0.0),
    "larger quantity": (0.0, 0.0, 0.0, 0.0),
    "larger quantity of the same product": (0.0, 0.0, 0.0, 0.0),
    "always": (-0.414, -5.193, -1.500, 0.643),
}
_QUERY_COEFFICIENTS: dict[str, tuple[float, float, float, float]] = {
    # feature: the hedonic component's log_weight and log_width, the blend's log_weight and log_width
    "always": (3.642, 0.382, -0.228, 0.514),
    "best text": (-3.421, 0.063, 0.266, -0.683),
    "best text squared": (-1.465, -0.228, 0.435, -0.761),
    "any same product": (0.273, 0.110, 1.159, -0.165),
    "ln same products": (1.649, 0.421, 1.479, -0.221),
}


def _flatten() -> Floats:
    pairs = np.array([_PAIR_COEFFICIENTS[name] for name in PAIR_FEATURES], dtype=np.float64)
    queries = np.array([_QUERY_COEFFICIENTS[name] for name in QUERY_FEATURES], dtype=np.float64)
    return np.concatenate([pairs.T.ravel(), queries.T.ravel()])


PRIOR_COEFFICIENTS = _flatten()
