"""The forms of the request headers that the service reads."""

MAX_END_USER_LENGTH = 500
MAX_IP_LENGTH = 45

MAX_IDEMPOTENCY_KEY_LENGTH = 255
IDEMPOTENCY_KEY_PATTERN = "[!-~]([ -~]*[!-~])?"
"""Printable ASCII, as header values are; a server strips the spaces at both ends."""
