"""Every attempt to deliver an event: when, how long, what came of it."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.webhooks import DeliveryAttempt
from components import specimens
from components.curl import HIDDEN, is_secret
from components.delivery_meaning import status_line
from components.moments import local
from components.plain import plain

_LONG = 600
"""Characters from which a body scrolls in a box of its own."""


def draw_attempt_timeline(attempts: Sequence[DeliveryAttempt], zone: tzinfo) -> None:
    """The latest first and open; each with the answer's headers and the beginning of its body."""
    if not attempts:
        st.caption("No attempt yet.")
    for at, attempt in enumerate(reversed(attempts)):
        good = attempt.outcome == "succeeded"
        mark = ":green[:material/check_circle:]" if good else ":red[:material/cancel:]"
        with st.expander(
            f"{mark} **{attempt.number}.** {local(attempt.started_at, zone)}, "
            f"{status_line(attempt.response_status)}, {attempt.duration_ms:,} ms",
            expanded=at == 0,
        ):
            if not good:
                word = plain(attempt.outcome.replace("_", " "))
                said = f": {plain(attempt.detail)}" if attempt.detail else ""
                st.markdown(f"**{word}**{said}")
            if attempt.response_headers:
                st.code(
                    "\n".join(
                        f"{name}: {HIDDEN if is_secret(name) else value}"
                        for name, value in attempt.response_headers.items()
                    ),
                    language=None,
                )
            if attempt.response_body:
                tall = 200 if len(attempt.response_body) > _LONG else "content"
                st.code(attempt.response_body, language=None, wrap_lines=True, height=tall)
            elif attempt.response_status:
                st.caption("The answer had no body.")


def example() -> None:
    draw_attempt_timeline(
        [
            DeliveryAttempt(
                number=1,
                started_at=specimens.NOON,
                duration_ms=5003,
                outcome="timed_out",
                detail="No answer within 5 s.",
                request_headers={},
                response_status=0,
            ),
            DeliveryAttempt(
                number=2,
                started_at=specimens.NOON,
                duration_ms=41,
                outcome="succeeded",
                request_headers={},
                response_status=200,
                response_headers={"content-type": "text/plain", "set-cookie": "a=b"},
                response_body="ok",
            ),
        ],
        specimens.ZONE,
    )
