"""What a letter to somebody says whom a comment names, or who was made an owner. Pure. The subject
holds nothing that somebody wrote."""

from collections.abc import Mapping
from datetime import datetime

from app.contract.approvals import APPROVED_THINGS
from app.contract.comments import CommentedKind
from app.contract.dates import format_day

NAMES: Mapping[CommentedKind, str] = {
    "scope": "a scope",
    "negotiation": "a negotiation",
    "agreement": "an agreement",
}


def compose_comment_letter(
    kind: CommentedKind, title: str, reader: str, author: str, text: str, address: str
) -> tuple[str, str]:
    """Return the subject and the text of a letter to somebody whom a comment names."""
    title, author = _on_one_line(title), _on_one_line(author)
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    return "You are named in a comment", "\n\n".join(
        (
            f"Dear {_on_one_line(reader)},",
            f"{author} named you in a comment on the {kind} “{title}”:",
            quoted,
            f"The {kind}, and the form to answer:\n{address}",
            "You get this mail because the comment names you. Answers to this mail are read by nobody.",
        )
    )


def compose_owner_letter(
    kind: CommentedKind, title: str, reader: str, author: str, address: str
) -> tuple[str, str]:
    """Return the subject and the text of a letter to somebody who was made an owner."""
    title, author = _on_one_line(title), _on_one_line(author)
    return f"You are an owner of {NAMES[kind]} now", "\n\n".join(
        (
            f"Dear {_on_one_line(reader)},",
            f"{author} named you as an owner of the {kind} “{title}”.",
            f"The {kind}:\n{address}",
            f"You get this mail once. Owners are changed on the page of the {kind}.",
        )
    )


def compose_approval_letter(kind: str, reader: str, until: datetime, address: str) -> tuple[str, str]:
    """Return the subject and the text of a letter to somebody who may approve what another asked for."""
    return "Something waits for your approval", "\n\n".join(
        (
            f"Dear {_on_one_line(reader)},",
            f"{APPROVED_THINGS[kind]} waits for another person than who asked for it, until"
            f" {format_day(until.date())}. You may approve or refuse it:\n{address}",
            "You get this mail because your role lets you approve it. Whoever is first decides.",
        )
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
