"""How a receiver verifies the signature of a delivery, step by step.

Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, in base64, behind `v1,`. The secret stays in this
session: it is compared here and sent nowhere.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from components.webhooks.curl_command import encode_body

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
            f"The signature is not valid: this secret gives `{expected}`. It may be the secret of "
            "another webhook, "
            "or one that was replaced.",
            icon=":material/gpp_bad:",
        )
