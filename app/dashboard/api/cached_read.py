"""How the pages keep what they read: for some seconds, and shared by all runs. An answer is never changed
(`app.contract.model.Reply` is frozen), so it is not copied: that took a sixth of the processor's time."""

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import Any, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.caching.cache_utils import CachedFunc

from app.dashboard.deployment import Deployment
from app.dashboard.slow_service import note_answer

P = ParamSpec("P")
R = TypeVar("R")

CATALOG_SECONDS = 60
"""The catalog seldom changes; the client confirms a body by its ETag when this is over."""

OWN_SECONDS = 5
"""What the organisation makes itself, and estimates, which rest on that: a purchase of its own, such as an
agreed price, may be put on record in the background, some time after the write."""

_reads: list[CachedFunc[..., Any]] = []
_own_reads: list[CachedFunc[..., Any]] = []


def cached_read(
    seconds: float, *, max_entries: int = 200, of_deployment: bool = False
) -> Callable[[Callable[P, R]], CachedFunc[P, R]]:
    """Return the decorator that keeps the newest `max_entries` answers of a read for `seconds`, or until the
    next write: `write_button` forgets them all, but those `of_deployment`, which no write changes."""

    def keep(read: Callable[P, R]) -> CachedFunc[P, R]:
        @wraps(read)
        def ask(*arguments: P.args, **options: P.kwargs) -> R:
            answer = read(*arguments, **options)
            note_answer()
            return answer

        cached = st.cache_resource(
            ttl=seconds,
            max_entries=max_entries,
            show_spinner=False,
            hash_funcs={Deployment: attrgetter("identity")},
        )(ask)
        _reads.append(cached)
        if not of_deployment:
            _own_reads.append(cached)
        return cached

    return keep


def clear_reads() -> None:
    """Forget every answer."""
    for read in _reads:
        read.clear()


def clear_own_reads() -> None:
    """Forget every answer that a write of the organisation may change."""
    for read in _own_reads:
        read.clear()
