"""Tuning of Python's garbage collector."""

import gc


def freeze_startup_objects() -> None:
    """Excludes every object made so far from garbage collection: they live to the end, and looking through
    them for cycles took a tenth of the time of an estimate and of a delivery."""
    gc.collect()
    gc.freeze()
