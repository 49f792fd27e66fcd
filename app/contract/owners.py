"""Who looks after something: a scope, a negotiation or an agreement."""

from typing import Annotated

from pydantic import Field

from .email_address import Email
from .model import Part
from .values import Text

MAX_OWNERS = 20


class Owner(Part):
    """Who looks after something. Who has an e-mail address gets mail about it, where there is a mail
    server."""

    name: Annotated[Text, Field(min_length=1, max_length=200)]
    email: Email | None = None


Owners = Annotated[list[Owner], Field(max_length=MAX_OWNERS)]
