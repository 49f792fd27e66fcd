"""A new API key, kept until the reader has stored it: it cannot be read again."""

from app.contract.people import ApiKey
from app.dashboard.session_values import NEW_KEY


def keep_key(made: ApiKey) -> None:
    """Keep the key for this session, in place of an earlier one."""
    NEW_KEY.set((made.name, made.key or ""))


def get_key() -> tuple[str, str] | None:
    """Return the name and the key itself, None once the reader has stored it."""
    return NEW_KEY.get()


def forget_key() -> None:
    """Forget the key, because the reader has stored it."""
    NEW_KEY.pop()
