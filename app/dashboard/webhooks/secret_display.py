"""The secret of a webhook, kept until the reader has stored it: it cannot be read again."""

from app.dashboard.session_values import WEBHOOK_SECRET


def keep_secret(webhook_id: str, secret: str) -> None:
    """Keep the secret for this session, in place of an earlier one."""
    WEBHOOK_SECRET.set((webhook_id, secret))


def get_secret(webhook_id: str) -> str | None:
    """Return the secret of this webhook, None once the reader has stored it."""
    latest = WEBHOOK_SECRET.get()
    return latest[1] if latest is not None and latest[0] == webhook_id else None


def forget_secret() -> None:
    """Forget the secret, because the reader has stored it."""
    WEBHOOK_SECRET.pop()
