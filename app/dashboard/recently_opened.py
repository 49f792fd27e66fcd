"""The scopes and negotiations that somebody made or opened in this browser session, the latest first.

On a deployment that cannot list them this is the only way back to them.
"""

from typing import Literal

import streamlit as st

from app.dashboard.deployment import Deployment

Kind = Literal["scope", "negotiation"]

MOST = 50


def remember(deployment: Deployment, kind: Kind, ident: str) -> None:
    """Put `ident` first."""
    key = _key(deployment, kind)
    known: list[str] = st.session_state.get(key, [])
    st.session_state[key] = [ident, *(each for each in known if each != ident)][:MOST]


def recalled(deployment: Deployment, kind: Kind) -> list[str]:
    """The ids, latest first."""
    known: list[str] = st.session_state.get(_key(deployment, kind), [])
    return list(known)


def _key(deployment: Deployment, kind: Kind) -> str:
    """Apart for each identity, so that a later sign-in in the same tab does not see them."""
    return f"parley.opened.{kind}.{hash(deployment)}"
