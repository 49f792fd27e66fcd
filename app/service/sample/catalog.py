"""The sample catalog as it is drawn at every start, with the same ids."""

import uuid
from datetime import UTC, datetime
from functools import lru_cache
from random import Random

from app.service.sample.suppliers import SampleCatalog, draw_catalog

SEED = 20_240_229
FIRST_INSTANT = datetime(2024, 2, 29, tzinfo=UTC)


class SampleIds:
    """Version 7 UUIDs that are the same at each start, because their time and random bits are generated."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._millisecond = int(FIRST_INSTANT.timestamp() * 1000)

    def __call__(self) -> str:
        self._millisecond += 1
        number = self._millisecond << 80 | self._random.getrandbits(80)
        number = number & ~(0xF << 76) | 0x7 << 76
        number = number & ~(0x3 << 62) | 0x2 << 62
        return str(uuid.UUID(int=number))


@lru_cache(maxsize=4)
def sample_catalog(currency: str) -> SampleCatalog:
    """Return the suppliers and products of the sample, to read only; the times of their rows say nothing."""
    random = Random(SEED)
    return draw_catalog(random, SampleIds(random), FIRST_INSTANT, currency)
