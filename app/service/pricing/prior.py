"""The mixture's coefficients before a deployment has learnt its own."""

import numpy as np

from app.service.pricing.evidence import PAIR_FEATURES, QUERY_FEATURES
from app.service.pricing.mixture import SIZE

_BY_PAIR: dict[str, tuple[float, float, float, float]] = {
    # feature: belief, exactness, width, moving
    "same product": (2.0, 2.0, -1.0, -2.0),
    "wording": (2.0, 0.0, 0.0, 0.0),
    "quantity gap": (-0.3, 0.0, 0.0, 0.0),
    "years": (-0.5, 0.0, 0.0, 0.0),
    "worth gap": (-1.0, 0.0, 0.0, 0.0),
    "term gap": (-0.5, 0.0, 0.0, 0.0),
    "same type": (0.5, 0.0, 0.0, 0.0),
    "always": (0.0, -4.0, -1.0, 1.0),
}
_BY_QUERY: dict[str, tuple[float, float, float, float]] = {
    # feature: worth's belief and width, the middle's belief and width
    "always": (2.0, -0.5, 1.0, -0.7),
}


def _flat() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    pairs = np.array([_BY_PAIR.get(name, (0.0,) * 4) for name in PAIR_FEATURES])
    queries = np.array([_BY_QUERY.get(name, (0.0,) * 4) for name in QUERY_FEATURES])
    flat = np.concatenate([pairs.T.ravel(), queries.T.ravel()])
    assert len(flat) == SIZE
    return flat


MIXTURE = _flat()
