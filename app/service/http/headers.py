"""The names and forms of the request headers that the service reads."""

END_USER_IDENTIFIER = "x-svc-end-user-identifier"
END_USER_IP = "x-svc-end-user-ip"
END_USER_EMAIL = "x-svc-end-user-email"
END_USER_ORGANISATION = "x-svc-end-user-organization-name"

MAX_END_USER_LENGTH = 500
MAX_IP_LENGTH = 45

MAX_IDEMPOTENCY_KEY_LENGTH = 255
IDEMPOTENCY_KEY_PATTERN = "[!-~]([ -~]*[!-~])?"
"""Printable ASCII, as header values are; a server strips the spaces at both ends."""
