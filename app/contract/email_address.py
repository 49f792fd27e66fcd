"""What counts as an e-mail address, in bodies and headers.

A rule of our own and no library, because all who install the client would have to install it too.
"""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

MAX_EMAIL_LENGTH = 254
_NAME = r"[\w!#$%&'*+/=?^`{|}~\u00a1-\U0010ffff-]+"
_LETTER = r"[0-9A-Za-z\u00a1-\U0010ffff]"
_LABEL = rf"{_LETTER}(?:(?:{_LETTER}|-){{0,61}}{_LETTER})?"
_ADDRESS = re.compile(rf"{_NAME}(?:\.{_NAME})*@(?:{_LABEL}\.)+(?![0-9]+$){_LABEL}")


def is_email_address(text: str) -> bool:
    """Whether this is one plain address (RFC 5321) whose domain has a dot. Letters of all scripts may stand
    in it (RFC 6531); quoted names, IP addresses and names of persons may not."""
    return len(text) <= MAX_EMAIL_LENGTH and text.isprintable() and _ADDRESS.fullmatch(text) is not None


def _check_email_address(text: str) -> str:
    if not is_email_address(text):
        raise ValueError("must be an e-mail address such as buyer@example.com")
    return text


Email = Annotated[
    str,
    Field(max_length=MAX_EMAIL_LENGTH),
    AfterValidator(_check_email_address),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": MAX_EMAIL_LENGTH}),
]
