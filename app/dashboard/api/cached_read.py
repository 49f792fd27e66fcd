"""How the pages keep what they read: for some seconds, and shared by all runs. An answer is never changed
(`app.contract.model.Reply` is frozen), so it is not copied: that took a sixth of the processor's time."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.caching.cache_utils import CachedFunc

P = ParamSpec("P")
R = TypeVar("R")

CATALOG_SECONDS = 60
"""The catalog changes by imports only; the client confirms a body by its ETag when this is over."""

OWN_SECONDS = 5
"""What the organisation makes itself; `write_button` forgets it after each write."""

_reads: list[CachedFunc[..., Any]] = []
_own_reads: list[CachedFunc[..., Any]] = []


def cached_read(
    seconds: float, *, max_entries: int = 200, own: bool = False
) -> Callable[[Callable[P, R]], CachedFunc[P, R]]:
    """Return the decorator that keeps the newest `max_entries` answers of a read for `seconds`. `own` says
    that it is of what the organisation makes itself although it is kept for longer."""

    def keep(read: Callable[P, R]) -> CachedFunc[P, R]:
        cached = st.cache_resource(ttl=seconds, max_entries=max_entries, show_spinner=False)(read)
        _reads.append(cached)
        if own or seconds <= OWN_SECONDS:
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
