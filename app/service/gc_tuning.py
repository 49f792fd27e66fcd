"""Tuning of Python's garbage collector."""

import gc


def spare_startup() -> None:
    """Looks for cycles seldom until the start is over: imports make 600,000 objects that stay, and going
    through them again and again took a fifth of the time."""
    gc.set_threshold(100_000, 50, 50)


def freeze_startup_objects() -> None:
    """Excludes every object made so far from garbage collection: they live to the end, and looking through
    them for cycles took a tenth of the time of an estimate and of a delivery."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 10)
