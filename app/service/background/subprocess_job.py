"""Long arithmetic in a process of its own, so that it holds up nothing that the worker does meanwhile."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing import get_context, parent_process

from app.service.context import Context, open_context
from app.service.documents.sandbox.child_process import NICENESS
from app.settings import Settings


def run_in_subprocess(work: Callable[..., None], *arguments: object, memory: int | None = None) -> None:
    """Calls `work`, a function of a module, in a new process that gives way to others and ends when this one
    does. Raises what `work` raises, and BrokenProcessPool when its process dies.

    With `memory`, in bytes, what needs more of it on Linux raises MemoryError.

    It computes in one thread: on its small arrays numpy's others wait busily, and took a third of the
    processor's time for nothing.
    """
    # Read by numpy's library when it is loaded, so that it has to stand here before the process begins.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    begin = partial(_begin, memory)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=begin) as own:
        own.submit(work, *arguments).result()


def run_with_own_context(
    context: Context, work: Callable[..., object], *arguments: object, memory: int | None = None
) -> None:
    """Calls `work` with a context of the same settings and the arguments, as `run_in_subprocess` does."""
    run_in_subprocess(_open_and_work, context.settings, work, *arguments, memory=memory)


def _open_and_work(settings: Settings, work: Callable[..., object], *arguments: object) -> None:
    with closing(open_context(settings)) as context:
        work(context, *arguments)


def _begin(memory: int | None) -> None:
    if os.name == "posix":
        os.nice(NICENESS)
    if memory is not None and sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
