"""A webhook's secret between the call that made it and the reader who stores it: it cannot be read again."""

from app.dashboard.session_values import WEBHOOK_SECRET


def keep_secret(webhook_id: str, secret: str) -> None:
    """Keep the secret for this session, in place of an earlier one."""
    WEBHOOK_SECRET.set((webhook_id, secret))


def secret_of(webhook_id: str) -> str | None:
    """Return the secret of this webhook, None when the reader has stored it."""
    kept = WEBHOOK_SECRET.get()
    return kept[1] if kept is not None and kept[0] == webhook_id else None


def forget_secret() -> None:
    WEBHOOK_SECRET.pop()
