"""Where and as whom the dashboard calls: the key of everything that is cached."""

from dataclasses import dataclass, field, fields
from functools import cached_property
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Deployment:
    """A base address, a key and, optionally, the end user on whose behalf calls are made.

    The first argument of every cached read, under this very name: Streamlit leaves arguments that start with
    an underscore out of a cache key, and hashes secret types alike, so that one user would be served another
    one's data. The `identity` tells them apart.
    """

    base_url: str
    api_key: str = field(repr=False)
    end_user: str = ""
    end_user_email: str = ""
    end_user_organization: str = ""
    read_only: bool = False
    """Whether the key may only read, as the service said at the sign-in."""
    role: str = ""
    """The role of the key or person, as the service said at the sign-in; "" where it knows none."""
    user_name: str = ""
    """The name of the person who signed in with the identity provider, "" for an API key."""
    holder_id: str = ""
    """The id of the key or person, as the service said at the sign-in; "" where it says none."""
    session: str = field(default="", repr=False)
    """The id of the dashboard's session, "" while one is signing in. No call is made for one that ended."""

    @cached_property
    def identity(self) -> str:
        """All that tells this deployment from another, made once: it is asked for at every cached read."""
        return repr([getattr(self, one.name) for one in fields(self)])

    @property
    def holder(self) -> tuple[str, str]:
        """Who signed in, the same in all of their sessions where the service says who they are."""
        return self.base_url, self.holder_id or self.api_key

    @property
    def host(self) -> str:
        """The address as people say it: host and port."""
        return urlsplit(self.base_url).netloc or self.base_url

    @property
    def is_admin(self) -> bool:
        """Whether the service lets the key or person manage keys and see who changed what."""
        return self.role in {"admin", "owner"}

    @property
    def person(self) -> str:
        """How to call who signed in or the end user, "" when none was named."""
        return self.user_name or self.end_user_email or self.end_user or self.end_user_organization


READ_ONLY_REASON = (
    "This key is read only: it shows everything of its organisation and changes nothing. To make changes, "
    "sign in with a full key."
)
