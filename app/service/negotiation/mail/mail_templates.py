"""Messages to the supplier: templates that a person can edit, filled in. Sending is `sending.py`'s."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Literal

MailKind = Literal["opening", "counter", "change", "reminder", "acceptance", "refusal"]

SUPPLIED = Path(__file__).with_name("templates")


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    body: str


def letter(kind: MailKind, words: Mapping[str, str], edited: Path | None = None) -> Letter:
    """A template filled in. Its first line is `Subject: …`. A file of the same name in the folder `edited`
    replaces ours; a `$word` that is not known stays as it is."""
    text = _template(kind, edited)
    head, _, body = text.partition("\n")
    subject = Template(head.removeprefix("Subject:").strip()).safe_substitute(words)
    # A header is one line, whatever a name holds.
    return Letter(" ".join(subject.split()), Template(body).safe_substitute(words).strip() + "\n")


def _template(kind: MailKind, edited: Path | None) -> str:
    if edited is not None:
        try:
            return (edited / f"{kind}.txt").read_text(encoding="utf-8")
        except FileNotFoundError:
            pass
    return _supplied(kind)


@lru_cache
def _supplied(kind: MailKind) -> str:
    return (SUPPLIED / f"{kind}.txt").read_text(encoding="utf-8")
