"""Asks for a second opinion on one document: once, and at most once more where a worker was killed.

What was asked, and what was answered, is stored before and after the call, each in one transaction, so that
a reading that is done again finds the answer and pays for none. Whatever fails leaves the reading as it was,
with a sentence.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy import Connection
from yarl import URL

from app.contract.second_opinion import (
    SecondOpinion,
)
from app.contract.version import VERSION
from app.outgoing.addresses import Network
from app.outgoing.guarded_connections import guarded_session
from app.service.access.audit import SECOND_OPINION_ASKED, Subject, record_outcome
from app.service.access.quotas import lock_organisation
from app.service.context import Context
from app.service.database.dialect import upsert
from app.service.database.tables import (
    second_opinion,
)
from app.service.documents.second_opinion.answer import UnusableAnswer, read_answer
from app.service.documents.second_opinion.prompt import build_request
from app.service.documents.second_opinion.question import NamedWords, Question
from app.service.second_opinion.settings import StoredSettings, count_call, count_calls, load_settings
from app.service.webhooks.sending import interpret_failure

TIMEOUT_SECONDS = 60.0
"""For the whole call: look-up, connection, answer and its body."""
LARGEST_ANSWER = 512 * 1024
"""Bytes of an answer."""


class FailedCall(Exception):
    """There is no answer; the text is a sentence that can be shown."""


def call_service(
    address: str, key: str | None, body: bytes, *, allow: Sequence[Network], timeout: float
) -> bytes:
    """Post a request to `{address}/chat/completions` and return the answer. The call blocks. No redirect is
    followed. Raises FailedCall, also where the address may not be called."""
    try:
        return asyncio.run(_post(URL(f"{address}/chat/completions"), key, body, allow, timeout))
    except FailedCall:
        raise
    except Exception as error:
        raise FailedCall(
            interpret_failure(error, timeout).detail or "The service could not be called."
        ) from error


async def _post(url: URL, key: str | None, body: bytes, allow: Sequence[Network], seconds: float) -> bytes:
    headers = {
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": "identity",
        "user-agent": f"Parley/{VERSION}",
        **({"authorization": f"Bearer {key}"} if key else {}),
    }
    async with (
        guarded_session(allow, timeout=seconds, auto_decompress=False) as session,
        session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
    ):
        if answer.status != 200:
            raise FailedCall(f"The service answered {answer.status}.")
        content = bytearray()
        # The bytes are counted as they come, because a declared length may be wrong.
        async for chunk in answer.content.iter_chunked(64 * 1024):
            content += chunk
            if len(content) > LARGEST_ANSWER:
                raise FailedCall(f"The answer is longer than {LARGEST_ANSWER // 1024} KiB.")
        return bytes(content)


MOST_ATTEMPTS = 2
"""Calls for one document: one, and another where nobody knows what became of the first."""
_UNCHANGED = "The reading was left as it was."
_NAMED = TypeAdapter(NamedWords)


@dataclass(frozen=True)
class _Call:
    """A call that is about to be made."""

    address: str
    key: str | None
    body: bytes


def ask_second_opinion(
    context: Context,
    scope_id: str,
    organisation_id: str,
    question: Question,
    *,
    timeout: float = TIMEOUT_SECONDS,
) -> NamedWords | None:
    """Return the words that a second opinion names; None where it names none, with a sentence why."""
    begun = _begin(context, scope_id, organisation_id, question)
    if not isinstance(begun, _Call):
        return begun
    allow = context.settings.second_opinion_allow
    try:
        named = read_answer(
            call_service(begun.address, begun.key, begun.body, allow=allow, timeout=timeout), question
        )
    except (FailedCall, UnusableAnswer) as fault:
        _end(context, scope_id, status="failed", sentences=[str(fault), _UNCHANGED])
        return None
    _end(context, scope_id, status="answered", named=_NAMED.dump_python(named, mode="json"))
    return named


def save_sentences(connection: Connection, scope_id: str, sentences: tuple[str, ...]) -> None:
    """Store what the second opinion changed of the reading, or did not."""
    if sentences:
        connection.execute(_of(scope_id).values(sentences=list(sentences)))


def find_second_opinion(connection: Connection, scope_id: str) -> SecondOpinion | None:
    """Return what was asked about the document of a scope; None where nothing was."""
    row = connection.execute(sa.select(second_opinion).where(second_opinion.c.scope_id == scope_id)).first()
    if row is None:
        return None
    return SecondOpinion.build_from(row)


def _begin(
    context: Context, scope_id: str, organisation_id: str, question: Question
) -> _Call | NamedWords | None:
    """Store that a call is made, and count it. Return what was answered before instead, or None where no call
    is made."""
    with context.database.writing() as connection:
        lock_organisation(connection, organisation_id)
        settings = load_settings(connection, organisation_id)
        if not settings.enabled or settings.address is None or settings.model is None:
            return None
        body = build_request(question, settings.model)
        digest = sha256(settings.address.encode() + b"\n" + body).hexdigest()
        before = connection.execute(
            sa.select(second_opinion).where(second_opinion.c.scope_id == scope_id)
        ).first()
        if before is not None and before.status == "failed":
            return None
        if before is not None and before.status == "answered" and before.digest == digest:
            return _NAMED.validate_python(before.named)
        attempts = 0 if before is None else before.attempts
        now = context.clock()
        refusal = _find_refusal(connection, organisation_id, settings, question, attempts, now)
        upsert(
            connection,
            second_opinion,
            [
                {
                    "scope_id": scope_id,
                    "status": "not_asked" if refusal else "asked",
                    "address": settings.address,
                    "model": settings.model,
                    "digest": digest,
                    "attempts": attempts if refusal else attempts + 1,
                    "asked_at": (before.asked_at if before else None) if refusal else now,
                    "asked_about": [*question.sums, *(["lines"] if question.lines else [])],
                    "page_numbers": [page.number for page in question.pages],
                    "word_count": question.word_count,
                    "named": None,
                    "sentences": [refusal, _UNCHANGED] if refusal else [],
                }
            ],
        )
        if refusal:
            return None
        count_call(connection, organisation_id, now)
        host = urlsplit(settings.address).hostname
        outcome = replace(SECOND_OPINION_ASKED, summary=f"{SECOND_OPINION_ASKED.summary} to {host}")
        record_outcome(connection, outcome, Subject(organisation_id, scope_id), now)
    key = None if settings.key is None else context.vault.open(settings.key).decode()
    return _Call(settings.address, key, body)


def _find_refusal(
    connection: Connection,
    organisation_id: str,
    settings: StoredSettings,
    question: Question,
    attempts: int,
    now: datetime,
) -> str | None:
    """Why no call is made, in a sentence."""
    if not question.pages:
        return "The pages that are doubtful hold more words than are sent."
    if attempts >= MOST_ATTEMPTS:
        return "It was asked twice, and the answer was lost both times."
    if count_calls(connection, organisation_id, now) >= settings.calls_per_day:
        return f"As many calls were made today as the organisation allows ({settings.calls_per_day:,})."
    return None


def _end(context: Context, scope_id: str, **values: object) -> None:
    with context.database.writing() as connection:
        connection.execute(_of(scope_id).values(**values))


def _of(scope_id: str) -> sa.Update:
    return second_opinion.update().where(second_opinion.c.scope_id == scope_id)
