"""How the pages keep what they read: for some seconds, and shared by all runs. An answer is never changed
(`app.contract.model.Reply` is frozen), so it is not copied: that took a sixth of the processor's time."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.caching.cache_utils import CachedFunc

P = ParamSpec("P")
R = TypeVar("R")

_reads: list[CachedFunc[..., Any]] = []


def cached_read(seconds: float, *, max_entries: int = 200) -> Callable[[Callable[P, R]], CachedFunc[P, R]]:
    """Return the decorator that keeps the newest `max_entries` answers of a read for `seconds`."""

    def keep(read: Callable[P, R]) -> CachedFunc[P, R]:
        cached = st.cache_resource(ttl=seconds, max_entries=max_entries, show_spinner=False)(read)
        _reads.append(cached)
        return cached

    return keep


def clear_reads() -> None:
    """Forget every answer."""
    for read in _reads:
        read.clear()
