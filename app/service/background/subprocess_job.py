"""Long arithmetic in a process of its own, so that it holds up nothing that the worker does meanwhile."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process


def run_in_subprocess(work: Callable[..., None], *arguments: object) -> None:
    """Calls `work`, a function of a module, in a new process that gives way to others and ends when this one
    does. Raises what `work` raises, and BrokenProcessPool when its process dies."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_lower_priority) as own:
        own.submit(work, *arguments).result()


def _lower_priority() -> None:
    if os.name == "posix":
        os.nice(10)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
