"""How long a page waits for the service: after two seconds it says so, after ten it gives up what is left.

The time counts from the beginning of the run, of a page or of a fragment, and over all its reads: a page with
eight slow parts does not wait eight times.
"""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, Timer

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import add_script_run_ctx

NOTICE_SECONDS = 2.0
READ_SECONDS = 10.0
LEAST_SECONDS = 0.5
"""What a read is given though the time is over: enough for a service that has recovered."""
_SETTLE_SECONDS = 0.3
"""How long a part is waited for before the notice moves there from the part before."""


class _Run:
    """The parts of a run that are being drawn, the innermost last, and the notice in the innermost. A timer
    draws it, since the run itself waits for the service."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self._places: list[DeltaGenerator | None] = []
        self._shown: DeltaGenerator | None = None
        self._timer: Timer | None = None
        self._lock = Lock()

    def enter(self, place: DeltaGenerator | None) -> None:
        with self._lock:
            self._hide()
            self._places.append(place)
            self._arm()

    def leave(self) -> None:
        with self._lock:
            self._hide()
            self._places.pop()
            self._arm()

    def _hide(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._shown is not None:
            self._shown.empty()
            self._shown = None

    def _arm(self) -> None:
        if self._places and self._places[-1] is not None:
            passed = time.monotonic() - self.began
            self._timer = Timer(
                max(_SETTLE_SECONDS, NOTICE_SECONDS - passed), self._show, [len(self._places)]
            )
            self._timer.daemon = True
            add_script_run_ctx(self._timer)
            self._timer.start()

    def _show(self, depth: int) -> None:
        with self._lock:
            place = self._places[-1] if len(self._places) == depth else None
            if place is not None and threading.current_thread() is self._timer:
                self._shown = place
                with place.container():
                    draw_slow_notice()


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
    run.enter(st.empty())
    try:
        yield
    finally:
        run.leave()
        if token is not None:
            _RUN.reset(token)


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
    return READ_SECONDS if run is None else max(LEAST_SECONDS, run.began + READ_SECONDS - time.monotonic())
