"""Learns at the moment of an estimate, from an organisation's own purchases for itself, and from all that it
sees before anything was learnt for everybody. Nothing is stored: nobody else sees it, and an import counts at
once until it is undone."""

from collections.abc import Collection
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.learning.hedonic_fitting import fit_hedonic_model
from app.service.pricing.learning.order_groups import order_weights

MIN_OWN_PURCHASES = 10
"""With fewer own purchases everybody's calibration stays as it is."""
_MAX_IN_MEMORY = 64


class OwnModels:
    """The latest hedonic models that a process has adapted to own purchases: fitting one takes as long as an
    estimate."""

    def __init__(self) -> None:
        self._models: dict[bytes, tuple[HedonicModel, HedonicModel]] = {}

    def adapt_calibration(
        self, calibration: Calibration, candidates: Candidates, own_ids: Collection[str]
    ) -> Calibration:
        """The calibration with a hedonic model that is drawn from its own to what the candidates with
        `own_ids` show: the levels of supplier, product and attributes, and the effects of quantity, term and
        day."""
        is_own = np.fromiter((one in own_ids for one in candidates.ids), np.bool_, len(candidates))
        rows = np.flatnonzero(is_own & ~np.isnan(candidates.log_rate))
        if len(rows) < MIN_OWN_PURCHASES:
            return calibration
        own, start = candidates.take(rows), calibration.hedonic_model
        key = _fingerprint(own)
        known = self._models.get(key)
        if known is None or known[0] is not start:
            known = start, fit_hedonic_model(own, order_weights(own.order), start=start)
            for oldest in list(self._models)[: 1 + len(self._models) - _MAX_IN_MEMORY]:
                self._models.pop(oldest, None)
            self._models[key] = known
        return replace(calibration, hedonic_model=known[1])


def _fingerprint(own: Candidates) -> bytes:
    """What two sets of purchases have in common only if they are the same."""
    digest = blake2b(repr((own.ids, own.texts, sorted(own.attributes))).encode())
    columns = (own.day, own.log_rate, own.log_quantity, own.term, own.recurring, own.renewal, own.order)
    of_attributes = [column[name] for column in (own.attributes, own.numbers) for name in sorted(column)]
    for column in (*columns, own.text, own.facets, *of_attributes):
        digest.update(column.tobytes())
    return digest.digest()
