"""Tells those who were made owners of a scope, a negotiation or an agreement."""

from collections.abc import Sequence

from sqlalchemy import Connection

from app.contract.comments import CommentedKind
from app.contract.owners import Owner
from app.service.access.caller import Caller
from app.service.comments.naming_mail import queue_naming_mails
from app.service.comments.objects import require_object
from app.service.comments.people import Person, describe_caller, find_own_address
from app.service.context import Context


def tell_new_owners(
    connection: Connection,
    context: Context,
    caller: Caller,
    kind: CommentedKind,
    object_id: str,
    *,
    before: Sequence[Owner] | None,
    after: Sequence[Owner] | None,
) -> None:
    """Note a letter to each owner with an address who was none before and is not the caller."""
    known = {one.email.lower() for one in before or () if one.email}
    new = {one.email.lower(): Person(one.name, one.email) for one in after or () if one.email}
    own = find_own_address(connection, caller)
    people = [person for address, person in new.items() if address not in {*known, own}]
    if not people:
        return
    subject = require_object(connection, caller.organisation_id, kind, object_id, to_change=False)
    named_by = describe_caller(connection, caller)
    queue_naming_mails(connection, context, subject, people, named_by=named_by)
