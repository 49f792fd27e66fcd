"""What a browser session keeps between two runs of a page: one typed accessor for each thing.

Widgets keep what was typed under their own keys. Everything else that a page or the dashboard remembers is
declared here, so that no two of them share a key.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

import streamlit as st

from app.contract.problem import EntryCandidate
from app.contract.scope import DocumentReading, ReadSupplier
from app.dashboard.deployment import Deployment
from app.dashboard.failures import Failure

if TYPE_CHECKING:
    from app.dashboard.scopes.dropped_quotes import DroppedQuote

Value = TypeVar("Value")


@dataclass(frozen=True)
class SessionValue(Generic[Value]):
    """The value under `key` in the session of the running page; `default`, which nobody may change in place,
    while there is none."""

    key: str
    default: Value

    def get(self) -> Value:
        """Return the value."""
        return st.session_state.get(self.key, self.default)

    def set(self, value: Value) -> None:
        """Keep `value`. The value of a widget can only be set before the widget is drawn in a run."""
        st.session_state[self.key] = value

    def get_or_set(self, value: Value) -> Value:
        """Return the value, after keeping `value` if there was none."""
        return st.session_state.setdefault(self.key, value)

    def pop(self) -> Value:
        """Return the value and forget it."""
        return st.session_state.pop(self.key, self.default)

    @property
    def is_set(self) -> bool:
        return self.key in st.session_state


@dataclass(frozen=True)
class SessionValues(Generic[Value]):
    """A value for each name, such as that of a form: `form_faults("new-key")`. `suffix` tells those of one
    name apart."""

    suffix: str
    default: Value

    def __call__(self, name: str) -> SessionValue[Value]:
        return SessionValue(f"{name}.{self.suffix}", self.default)


def clear_session() -> None:
    """Forget everything, the widgets' values too."""
    for key in list(st.session_state):
        del st.session_state[key]


TOUR_STEP = SessionValue[int | None]("parley.tour-step", None)
"""Where on the guided path through the sample data this session is."""

DROPPED_TOGETHER = SessionValue("parley.dropped-together", "")
"""The scope of quotes that were dropped together in this session: an address alone, which anybody may send,
compares none."""

# --- signing in ---

SIGNED_IN_DEPLOYMENT = SessionValue[Deployment | None]("parley.deployment", None)
BROWSER_TICKET = SessionValue[str | None]("parley.ticket", None)
"""The ticket that the browser is to trade for its cookie; "" when it is to drop its cookie."""
PROVIDER_SIGN_OUT = SessionValue("parley.provider-sign-out", "")
"""Where the browser signs out of the identity provider too, after it dropped its cookie."""
SIGN_OUT_REASON = SessionValue("parley.sign-out-reason", "")
SIGN_IN_REFUSAL = SessionValue("parley.sign-in-refusal", "")


def opened_records(
    deployment: Deployment, kind: Literal["scope", "negotiation"]
) -> SessionValue[Sequence[str]]:
    """Ids, the latest first. Kept for each identity, so that a later sign-in in the same browser tab does not
    see those of an earlier one."""
    return SessionValue[Sequence[str]](f"parley.opened.{kind}.{hash(deployment)}", ())


def last_visit(cookie: str) -> SessionValue[datetime | None]:
    """When the visit before this one ended, by the name of the cookie that remembers it."""
    return SessionValue[datetime | None](f"parley.last-visit.{cookie}", None)


RETRY_ASKED = SessionValue("parley.retry-asked", False)
"""Whether "Try again" was pressed since the last run."""


# --- writes and forms, by the name of the write or the form ---


def requested_writes() -> dict[str, str]:
    """The writes that were asked for by a click and have not been made yet, by name, with the labels of their
    buttons; changed in place."""
    return st.session_state.setdefault("requested-writes", {})


idempotency_key = SessionValues("idempotency-key", "")
"""The key of the write, kept over its tries until it is answered."""

write_failure = SessionValues[Failure | None]("failure", None)
"""Why the last try failed."""

first_try_at = SessionValues[datetime | None]("first-try-at", None)
"""When the write with this idempotency key was tried first."""

form_faults = SessionValues[Mapping[str, str]]("faults", {})
"""What was wrong with the form when it was sent last, by field."""

is_form_saved = SessionValues("saved", False)
"""Whether what the form holds is on record, so that its fields are to be emptied."""

upload_count = SessionValues("uploads", 0)
"""How many files were sent. Part of the uploader's key, so that it is empty after each file."""

# --- scopes and estimates ---

PRODUCTS_CHANGED = SessionValue("scope-form.products-changed", False)
"""Whether a product was added to the scope form or taken out of it in the last click."""


def dropped_quotes(deployment: Deployment) -> list["DroppedQuote"]:
    """The quotes that were dropped in this session, to be changed in place. Kept for each identity, like
    `opened_records`."""
    return st.session_state.setdefault(f"parley.dropped-quotes.{hash(deployment)}", [])


def typed_quotes() -> dict[str, float | None]:
    """The quotes typed beside the estimates, by scope. One dictionary for the session, to be changed in
    place, so that a download that is made outside of the session has the latest."""
    return st.session_state.setdefault("typed-quotes", {})


@dataclass(frozen=True)
class LeftOut:
    """Similar purchases that the reader leaves out of an estimate, by id, and why."""

    purchase_ids: frozenset[str] = frozenset()
    reason: str = ""


def left_out_purchases() -> dict[str, LeftOut]:
    """What is left out of each estimate, by scope; changed in place, as `typed_quotes`."""
    return st.session_state.setdefault("left-out-purchases", {})


def assigned_products(review: str) -> dict[int, tuple[str, str | None]]:
    """The products that a reviewer assigned to lines of a document, to be changed in place; see
    `AssignedProducts`."""
    return st.session_state.setdefault(f"{review}.assigned-products", {})


reading_under_review = SessionValues[DocumentReading | None]("reading", None)
"""The document as it was when this session began to review it. The lines of a later answer may be in
another order, and what was typed into the table belongs to the places of the first."""

latest_seller = SessionValues[ReadSupplier | None]("latest-seller", None)
"""The supplier of the product that was added to the catalog last, or as the reviewer named it."""

similar_entries = SessionValues[Sequence[EntryCandidate]]("similar-entries", ())
"""The catalog entries that are much like the one which the reviewer wants to add, by line."""

# --- webhooks ---

WEBHOOK_SECRET = SessionValue[tuple[str, str] | None]("webhook-secret", None)
"""A webhook's id and its secret, until the reader says that it is stored: it cannot be read again."""

NEW_KEY = SessionValue[tuple[str, str] | None]("new-key", None)
"""The name of an API key and the key itself, until the reader says that it is stored."""
