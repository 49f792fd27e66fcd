"""Whom a comment names: `@` before a name or an e-mail address that the organisation has on record. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.contract.email_address import is_email_address

_ADDRESS = re.compile(r"(?<![\w.@])@([^\s@,;:<>()\"]+@[^\s@,;:<>()\"]+)")
_AT = re.compile(r"(?<![\w.])@(?=\w)")
MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on record, whom a comment may name."""

    name: str
    email: str


class RefusedName(ValueError):
    """A comment names somebody who cannot be named; the message is a sentence that says why."""


def find_named(text: str, people: Iterable[Person]) -> Sequence[Person]:
    """Return whom the text names, each once, those by address first. What follows an `@` and is
    neither an address nor the name of somebody on record is plain text. Raises RefusedName."""
    by_email: dict[str, Person] = {}
    by_name: dict[str, dict[str, Person]] = defaultdict(dict)
    for one in people:
        by_email.setdefault(one.email.lower(), one)
        by_name[_fold(one.name)].setdefault(one.email.lower(), one)
    named = {one.email.lower(): one for one in _iterate_named(text, by_email, by_name)}
    if len(named) > MAX_NAMED:
        raise RefusedName(f"names {len(named)} people, and may name {MAX_NAMED}")
    return list(named.values())


def _iterate_named(
    text: str, by_email: dict[str, Person], by_name: dict[str, dict[str, Person]]
) -> Iterator[Person]:
    for found in _ADDRESS.finditer(text):
        address = found[1].rstrip(".!?'")
        if not is_email_address(address):
            continue
        if address.lower() not in by_email:
            raise RefusedName(
                f"names {address}, which is not on record here. Mail goes to members of your organisation, to"
                " owners of its scopes, negotiations and agreements, and to those who lead a negotiation."
            )
        yield by_email[address.lower()]
    folded = text.casefold()
    # The text may become longer when it is folded, so that names are sought in the folded one alone.
    names = sorted(by_name, key=len, reverse=True)
    for at in _AT.finditer(folded):
        rest = " ".join(folded[at.end() : at.end() + 400].split())
        name = next((one for one in names if one and _begins_with(rest, one)), None)
        if name is not None:
            if len(by_name[name]) > 1:
                addresses = " or ".join(f"@{one.email}" for one in by_name[name].values())
                raise RefusedName(f"names one of several people of the same name: write {addresses}")
            yield from by_name[name].values()


def _fold(name: str) -> str:
    return " ".join(name.casefold().split())


def _begins_with(text: str, name: str) -> bool:
    after = text[len(name) : len(name) + 1]
    return text.startswith(name) and not after.isalnum() and after not in ("_", "@")
