"""Templates of letters to the supplier, which a person can replace. `mail_sender.py` sends the letters."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Literal

MailKind = Literal["opening", "counter", "change", "reminder", "acceptance", "refusal"]

BUILT_IN_TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    body: str


def fill_template(kind: MailKind, fields: Mapping[str, str], custom_templates: Path | None = None) -> Letter:
    """Fill in a template. Its first line is `Subject: …`. A file of the same name in the folder
    `custom_templates` replaces ours; an unknown `$word` stays as it is."""
    text = _read_template(kind, custom_templates)
    head, _, body = text.partition("\n")
    subject = Template(head.removeprefix("Subject:").strip()).safe_substitute(fields)
    # A header is one line, whatever a name holds.
    return Letter(" ".join(subject.split()), Template(body).safe_substitute(fields).strip() + "\n")


def _read_template(kind: MailKind, custom_templates: Path | None) -> str:
    if custom_templates is not None:
        try:
            return (custom_templates / f"{kind}.txt").read_text(encoding="utf-8")
        except FileNotFoundError:
            pass
    return _read_built_in(kind)


@lru_cache
def _read_built_in(kind: MailKind) -> str:
    return (BUILT_IN_TEMPLATES / f"{kind}.txt").read_text(encoding="utf-8")
