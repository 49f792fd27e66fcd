"""Everything at once that one key can send to hurt others (`python -m tests.attacks.hostile_tenant`, with a
`Target` as JSON on standard input): estimates, schemas, drawings, uploads, documents that are slow to read,
imports, sign-ins, calendars, comments that send mail and reads without a pause. Prints
`ready` when all of them are under way and, when it is told to end, how often each status came, as JSON."""

import asyncio
import contextlib
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import aiohttp

ESTIMATES, SCHEMAS, DRAWINGS, UPLOADS, READS = 40, 100, 60, 20, 40
DOCUMENTS, IMPORTS, SIGN_INS, FEEDS, MAILS = 6, 6, 20, 20, 10
NAMED = 5
"""People whom each comment names."""
FEED_READS_A_MINUTE = 250
UPLOAD_BYTES = 5_000_000
FOREVER = aiohttp.ClientTimeout(total=None)
HOSTILE_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"text": {"type": "string", "pattern": "^(a+)+$"}},
}


@dataclass(frozen=True)
class Target:
    """Where the service is and what the hostile organisation has there."""

    address: str
    key: str
    scope_id: str
    document_scope_id: str
    negotiation_id: str
    document: str
    """The path of a document that takes long to read."""
    import_file_id: str
    feed: str
    """The path and query of a calendar."""
    agreement_id: str
    people: list[str]
    """Addresses that comments may name."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))


class Attack:
    """The callers of one key, each of which calls again as soon as it is answered."""

    def __init__(self, target: Target, session: aiohttp.ClientSession) -> None:
        self._target = target
        self._session = session
        self._document = Path(target.document).read_bytes()
        self.statuses: dict[str, Counter[int]] = {}

    def start(self) -> list[asyncio.Task[None]]:
        callers: list[tuple[int, Callable[[], Awaitable[int]]]] = [
            (ESTIMATES, self._estimate),
            (SCHEMAS, self._send_schema),
            (DRAWINGS, self._draw),
            (UPLOADS, self._upload),
            (READS, self._read),
            (DOCUMENTS, self._read_document),
            (IMPORTS, self._import),
            (SIGN_INS, self._sign_in),
            (FEEDS, self._read_feed),
            (MAILS, self._send_mails),
        ]
        return [asyncio.create_task(self._repeat(call)) for count, call in callers for _ in range(count)]

    async def fill_queues(self) -> None:
        """Send documents and imports before the rest takes all calls that a key may make at once."""
        for count, call in ((DOCUMENTS, self._read_document), (IMPORTS, self._import)):
            answers = await asyncio.gather(*(call() for _ in range(count)))
            self._count(call).update(answers)

    def _count(self, call: Callable[[], Awaitable[int]]) -> Counter[int]:
        return self.statuses.setdefault(call.__name__.strip("_"), Counter())

    async def _repeat(self, call: Callable[[], Awaitable[int]]) -> None:
        counted = self._count(call)
        while True:
            try:
                counted[await call()] += 1
            except (aiohttp.ClientError, TimeoutError):
                counted[0] += 1
            await asyncio.sleep(0.01)

    async def _get(self, path: str, limit: aiohttp.ClientTimeout = FOREVER) -> int:
        async with self._session.get(path, timeout=limit) as answer:
            await answer.read()
            return answer.status

    async def _estimate(self) -> int:
        kind = random.choice(("basic", "advanced", "explanation"))
        return await self._get(f"/v1/pricing/{kind}/{self._target.scope_id}")

    async def _send_schema(self) -> int:
        update = {
            "timestamp": "2026-11-20T10:00:00Z",
            "schema": HOSTILE_SCHEMA,
            "payload": {"text": "a" * 40 + "!"},
            "source": "hostile",
            "externalId": str(random.random()),
        }
        return await self._post(f"/v1/negotiation/{self._target.negotiation_id}/external-update", json=update)

    async def _post(self, path: str, **content: Any) -> int:
        async with self._session.post(path, **content) as answer:
            await answer.read()
            return answer.status

    async def _read_document(self) -> int:
        form = aiohttp.FormData()
        form.add_field("file", self._document, filename="boxes.docx")
        return await self._post("/v1/scope/from-document", data=form)

    async def _import(self) -> int:
        return await self._post("/v1/imports", json={"fileId": self._target.import_file_id})

    async def _sign_in(self) -> int:
        return await self._post("/v1/session")

    async def _read_feed(self) -> int:
        # As often as a calendar may be read, since the service of this test has no limit of requests.
        await asyncio.sleep(FEEDS * 60 / FEED_READS_A_MINUTE)
        return await self._get(self._target.feed)

    async def _send_mails(self) -> int:
        people = " ".join(f"@{one}" for one in random.sample(self._target.people, NAMED))
        comment = {"text": f"Look at this: {people}"}
        return await self._post(f"/v1/agreements/{self._target.agreement_id}/comments", json=comment)

    async def _draw(self) -> int:
        # It leaves before the picture is there; another width each time, so that none is kept.
        path = (
            f"/v1/scope/{self._target.document_scope_id}/document/pages/1?width={random.randrange(100, 3000)}"
        )
        return await self._get(path, aiohttp.ClientTimeout(total=2))

    async def _upload(self) -> int:
        form = aiohttp.FormData()
        form.add_field("file", b"a,b\n" + os.urandom(UPLOAD_BYTES).hex().encode(), filename="x.csv")
        return await self._post("/v1/files/upload", data=form)

    async def _read(self) -> int:
        return await self._get(
            f"/v1/catalog/companies?limit=100&name={random.choice('abcdefgh')}&n={random.random()}"
        )


async def main() -> None:
    target = Target(**json.loads(sys.stdin.readline()))
    os.nice(10)  # What the attacker's own machine has to do is no part of the attack.
    connector = aiohttp.TCPConnector(limit=0)
    headers = {"Authorization": f"Bearer {target.key}"}
    async with aiohttp.ClientSession(target.address, connector=connector, headers=headers) as session:
        attack = Attack(target, session)
        await attack.fill_queues()
        tasks = attack.start()
        await asyncio.sleep(3)
        _say("ready")
        await asyncio.to_thread(sys.stdin.readline)
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks)
    _say(json.dumps(attack.statuses))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
