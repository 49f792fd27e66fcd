"""How a receiver verifies the signature of a delivery, step by step, and the command that sends it again.

Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, in base64, behind `v1,`. The secret stays in this
session: it is compared here and sent nowhere.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

_SECRET = re.compile(r"authorization|cookie|token|secret|password|api[-_]?key|^x-.*-key$", re.IGNORECASE)
_SET_BY_CURL = frozenset({"host", "content-length", "connection", "accept-encoding", "transfer-encoding"})
HIDDEN = "***"


def is_secret(name: str) -> bool:
    """Return whether a header or parameter of this name may hold a credential."""
    return bool(_SECRET.search(name))


def format_curl(url: str, headers: Mapping[str, object], body: bytes) -> str:
    """Return a POST as a command; user info, secret headers and secret parameters are replaced by `***`."""
    parts = ["curl", "-X", "POST", shlex.quote(redact_url(url))]
    for name, value in headers.items():
        if name.lower() not in _SET_BY_CURL:
            shown = HIDDEN if is_secret(name) else str(value)
            parts += ["\\\n  -H", shlex.quote(f"{name}: {shown}")]
    parts += ["\\\n  --data-raw", shlex.quote(body.decode("utf-8", "replace"))]
    return " ".join(parts)


def redact_url(url: str) -> str:
    """Return `url` without user and password, with the values of secret parameters hidden."""
    split = urlsplit(url)
    pairs = [pair.partition("=") for pair in split.query.split("&") if pair]
    query = "&".join(f"{name}{eq}{HIDDEN if eq and is_secret(name) else value}" for name, eq, value in pairs)
    return urlunsplit((split.scheme, split.netloc.rpartition("@")[2], split.path, query, ""))


def encode_body(body: Mapping[str, object]) -> bytes:
    """Return the body as it was sent: JSON without spaces, in its own order, UTF-8."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


_PREFIX = "whsec_"


@dataclass(frozen=True)
class SignedContent:
    """The parts of a delivery that its signature covers, and the signature."""

    message_id: str
    timestamp: str
    body: bytes
    signature: str

    @property
    def content(self) -> bytes:
        return f"{self.message_id}.{self.timestamp}.".encode() + self.body


def get_signed_content(headers: Mapping[str, object], body: Mapping[str, object]) -> SignedContent | None:
    """Return the parts from a request's headers and body; None where it has no signature."""
    lower = {name.lower(): str(value) for name, value in headers.items()}
    try:
        return SignedContent(
            lower["webhook-id"], lower["webhook-timestamp"], encode_body(body), lower["webhook-signature"]
        )
    except KeyError:
        return None


def compute_signature(secret: str, signed: SignedContent) -> str:
    """Return the signature with `secret`. Raises ValueError where it is no `whsec_` secret."""
    try:
        key = base64.b64decode(secret.strip().removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("A secret is whsec_ followed by base64.") from None
    return "v1," + base64.b64encode(hmac.digest(key, signed.content, hashlib.sha256)).decode()


def has_signature(signature: str, expected: str) -> bool:
    """Return whether the expected signature is in the header, which holds two while a secret is rotated."""
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in signature.split(" "))


def draw_signature_steps(headers: Mapping[str, object], body: Mapping[str, object], *, key: str) -> None:
    """Draw the steps with the values of this delivery, and the result for a secret that is entered."""
    signed = get_signed_content(headers, body)
    if signed is None:
        st.caption("This request carries no Standard Webhooks signature.")
        return
    st.markdown("1. Join `webhook-id`, `webhook-timestamp` and the raw body with dots.")
    st.code(signed.content.decode("utf-8", "replace"), language=None, wrap_lines=True)
    st.markdown(
        "2. Compute its HMAC-SHA256 with the key that follows `whsec_` in base64; encode it in base64."
    )
    st.markdown("3. One of the signatures in `webhook-signature` must match, compared in constant time.")
    st.code(signed.signature, language=None, wrap_lines=True)
    st.markdown("4. Reject a `webhook-timestamp` more than five minutes from your clock.")
    secret = st.text_input(
        "Secret, to check the signature",
        type="password",
        key=f"{key}-secret",
        placeholder="whsec_…",
        help="Compared in this session only; it is neither stored nor sent.",
    )
    if secret:
        _draw_check(secret, signed)


def _draw_check(secret: str, signed: SignedContent) -> None:
    try:
        expected = compute_signature(secret, signed)
    except ValueError as refusal:
        st.error(str(refusal), icon=":material/error:")
        return
    if has_signature(signed.signature, expected):
        st.success("The signature is valid.", icon=":material/verified:")
    else:
        st.error(
            f"The signature is not valid: this secret gives `{expected}`. It may be the secret of another "
            "webhook, or one that was replaced.",
            icon=":material/gpp_bad:",
        )
