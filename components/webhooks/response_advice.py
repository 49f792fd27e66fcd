"""What a response of a receiver usually means, and what to do about it."""

import http

from app.contract.webhooks import WebhookEvent

STATUS_STYLES: dict[str, tuple[str, str, str]] = {
    "pending": ("waiting", "schedule", "orange"),
    "delivering": ("on its way", "send", "blue"),
    "succeeded": ("delivered", "check_circle", "green"),
    "failed": ("failed", "cancel", "red"),
}
"""Label, icon and colour of each status of a delivery."""

_STATUS_ADVICE = {
    401: "The receiver asks for credentials. It should check the signature instead.",
    403: "The receiver refuses the caller: often a firewall, or a signature checked with an old secret.",
    404: "Nothing listens at this path. The address may be mistyped, or the route moved.",
    405: "The path exists but does not accept POST.",
    408: "The receiver gave up waiting for the request.",
    410: "The receiver says it is gone for good, so the webhook was turned off.",
    413: "The receiver does not accept a body of this size.",
    415: "The receiver does not accept application/json.",
    429: "The receiver asks to slow down; its Retry-After is honoured.",
    502: "A proxy in front of the receiver got no valid response: the receiver is often restarting.",
    503: "The receiver is overloaded or in maintenance.",
    504: "A proxy gave up waiting. Respond first and do the work afterwards.",
}


_OUTCOME_ADVICE = {
    "timed_out": "The receiver took too long. Respond first and do the work afterwards.",
    "unreachable": "Nothing accepts connections there: the receiver is down, or a firewall drops them.",
    "disconnected": "The receiver closed the connection in mid-response: often a crash or a restart.",
    "name_not_found": "The host name does not exist, or its name server does not answer.",
    "address_refused": "The name resolves to a private address. A deployment only calls private addresses in "
    "the ranges that it allows.",
    "tls_failed": "No secure connection: the certificate is often expired, self-signed or for another name.",
    "malformed": "What came back is not HTTP: often another service listens on this port.",
    "invalid": "The request could not be made: the address or the secret is not usable.",
}


def format_status(code: int) -> str:
    """Return `503 Service Unavailable`, or `no response` for 0."""
    if not code:
        return "no response"
    try:
        return f"{code} {http.HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


def is_missing_response(outcome: str) -> bool:
    """Return whether the outcome stands for an attempt without a response."""
    return outcome in _OUTCOME_ADVICE


def explain_response(code: int, outcome: str = "") -> str:
    """Return what a status usually means; `outcome` explains status 0, which stands for no response."""
    if is_missing_response(outcome):
        return _OUTCOME_ADVICE[outcome]
    if code in _STATUS_ADVICE:
        return _STATUS_ADVICE[code]
    if not code:
        return (
            "No response came: the name could not be resolved, the connection was refused or cut, TLS "
            "failed, the address is not allowed, or the time ran out."
        )
    if 200 <= code < 300:
        return "The receiver accepted it."
    if 300 <= code < 400:
        return "The receiver redirects. Redirects are not followed: register the final address."
    if 400 <= code < 500:
        return "The receiver understands the request and refuses it; the same request will be refused again."
    return "The receiver failed while processing the request; see its log."


def describe_next_step(record: WebhookEvent) -> str:
    """Return what happens next with a delivery."""
    if record.status == "succeeded":
        return "Nothing more will be sent."
    if record.status == "failed":
        return "All attempts failed; nothing more will be sent unless you send it again."
    if record.status == "delivering":
        return "An attempt is under way."
    return "It will be retried." if record.attempts else "The first attempt is due."
