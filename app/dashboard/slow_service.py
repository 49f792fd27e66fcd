"""How long a page waits for the service: after two seconds it says so, and after ten without an answer it
gives up what is left.

The time counts from the beginning of the run, of a page or of a fragment, or from the latest answer in it: a
page with eight parts does not wait eight times for a service that hangs, and shows all of them where each
takes three seconds.
"""

import logging
import math
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, Thread

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.delta_generator_singletons import (
    get_dg_singleton_instance,
    get_last_dg_added_to_context_stack,
)
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

NOTICE_SECONDS = 2.0
READ_SECONDS = 10.0
LEAST_SECONDS = 0.5
"""What a read is given though the time is over: enough for a service that has recovered."""
_SETTLE_SECONDS = 0.3
"""How long a part is waited for before the notice moves there from the part before."""
_TICK_SECONDS = 0.1

_log = logging.getLogger(__name__)


class _Run:
    """The parts of a run that are being drawn, the innermost last, and the notice in the innermost."""

    def __init__(self) -> None:
        self.began = self.answered = time.monotonic()
        self._context = get_script_run_ctx()
        self._parts: list[DeltaGenerator | None] = []
        self._shown: DeltaGenerator | None = None
        self._due = math.inf
        self._lock = Lock()

    def enter(self, part: DeltaGenerator | None) -> None:
        with self._lock:
            self._parts.append(part)
            self._move_notice()

    def leave(self) -> None:
        with self._lock:
            self._parts.pop()
            self._move_notice()

    def _move_notice(self) -> None:
        if self._shown is not None:
            self._shown.empty()
            self._shown = None
        is_waiting = self._parts and self._parts[-1] is not None
        settled = time.monotonic() + _SETTLE_SECONDS
        self._due = max(self.began + NOTICE_SECONDS, settled) if is_waiting else math.inf

    def show_when_due(self) -> None:
        """Draw the notice if its time has come, from another thread: the run itself waits for the service."""
        if time.monotonic() < self._due:
            return
        with self._lock:
            if time.monotonic() >= self._due and (part := self._parts[-1]) is not None:
                self._due = math.inf
                add_script_run_ctx(threading.current_thread(), self._context)
                # The next place of the part: to keep one for each is an element more at every run.
                self._shown = part.empty()
                with self._shown.container():
                    draw_slow_notice()


class _Watch:
    """The thread that shows the notices of all runs, which lives while there are any. A timer for each part
    took 30 % of the time of a run."""

    def __init__(self) -> None:
        self._runs: set[_Run] = set()
        self._thread: Thread | None = None
        self._lock = Lock()

    def add(self, run: _Run) -> None:
        with self._lock:
            self._runs.add(run)
            if self._thread is None:
                self._thread = Thread(target=self._watch, name="slow-service", daemon=True)
                self._thread.start()

    def remove(self, run: _Run) -> None:
        with self._lock:
            self._runs.discard(run)

    def _watch(self) -> None:
        while runs := self._list_runs():
            for run in runs:
                try:
                    run.show_when_due()
                except Exception:  # of one run, while others are watched
                    _log.exception("The notice of a slow service could not be drawn.")
            time.sleep(_TICK_SECONDS)

    def _list_runs(self) -> list[_Run]:
        with self._lock:
            if not self._runs:
                self._thread = None
            return [*self._runs]


_WATCH = _Watch()
_RUN: ContextVar[_Run | None] = ContextVar("run", default=None)


@contextmanager
def slow_notice() -> Generator[None]:
    """Draw the notice in place of the block while the service is slow to answer. Inside another such block it
    is drawn in the innermost."""
    run = _RUN.get()
    token = None
    if run is None:
        run = _Run()
        token = _RUN.set(run)
        _WATCH.add(run)
    run.enter(get_last_dg_added_to_context_stack() or get_dg_singleton_instance().main_dg)
    try:
        yield
    finally:
        run.leave()
        if token is not None:
            _RUN.reset(token)
            _WATCH.remove(run)


@contextmanager
def without_notice() -> Generator[None]:
    """Draw no notice while the block runs, which says by itself what it waits for."""
    run = _RUN.get()
    if run is None:
        yield
        return
    run.enter(None)
    try:
        yield
    finally:
        run.leave()


def draw_slow_notice() -> None:
    st.caption(
        f":material/hourglass_top: The service is slow to answer. Still waiting; after {READ_SECONDS:.0f} "
        "seconds you can try again."
    )
    st.skeleton(height=120)


def get_read_seconds() -> float:
    """Return how long the next read may take: what is left of the run, the whole time outside of one."""
    run = _RUN.get()
    return READ_SECONDS if run is None else max(LEAST_SECONDS, run.answered + READ_SECONDS - time.monotonic())


def note_answer() -> None:
    """Note that the service answered a read: the run goes on waiting for the next one."""
    if run := _RUN.get():
        run.answered = time.monotonic()
