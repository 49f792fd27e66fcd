"""Sends the due deliveries of one endpoint, and waits a while for more.

It keeps nothing that may not be lost: a delivery is due until its result is committed, so the next worker of
this endpoint sends again what this one took and did not record.
"""

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from app.service.context import Context
from app.service.webhooks.attempt_result import AttemptResult, Outcome, compute_next_attempt
from app.service.webhooks.attempt_writer import DueDelivery, FinishedAttempt
from app.service.webhooks.delivery_queue import (
    Batch,
    BatchRequest,
    Endpoint,
    EndpointChanged,
    EndpointReleased,
    QueueUpdate,
    SlowDelivery,
)
from app.service.webhooks.sending import TIMEOUT_SECONDS, Exchange, Sender
from app.service.webhooks.sending_limits import MAX_IN_FLIGHT, ConcurrencyLimit

_log = logging.getLogger(__name__)

LINGER_SECONDS = 30.0
BATCH = 512
REFILL_BELOW = 64
"""When fewer are left in the queue, the next batch is fetched, so that the endpoint need not wait for it."""

COUNT_LIMIT = REFILL_BELOW + MAX_IN_FLIGHT
"""Due deliveries are counted up to this number: more need not be counted to know that there are more."""

REFRESH_SECONDS = 1.0
"""After how long a worker that is sending notices that its webhook was changed or turned off."""

MAX_UNRECORDED = 16 * MAX_IN_FLIGHT
"""The most deliveries that are sent and not committed yet. Where the database is slower, sending waits."""

DISABLE_AFTER = timedelta(days=5)
SLOW_AFTER_SECONDS = 0.3
UNSIGNABLE = AttemptResult(
    Outcome.INVALID, "The webhook's secret cannot be read: its key was changed. Rotate it."
)


class DeliveryStore(Protocol):
    """The queue of deliveries as an endpoint worker uses it (`BatchedConnection`)."""

    async def ask(self, request: BatchRequest, /) -> Batch: ...

    def post(self, changes: Sequence[QueueUpdate], on_written: Callable[[bool], None]) -> None: ...


class EndpointWorker:
    """Sends to one endpoint. `run` returns when nothing was due for a while, when the webhook is off or
    another worker's, or after `stop`.

    `is_certain` says whether no other worker can have taken this one's place; it is asked before each send.
    After a result was refused nothing is sent until the endpoint was looked at again.
    """

    def __init__(
        self,
        webhook_id: str,
        *,
        store: DeliveryStore,
        sender: Sender,
        schedule: Sequence[float],
        clock: Callable[[], datetime],
        jitter: Callable[[], float],
        is_certain: Callable[[], bool],
        count_attempt: Callable[[str], None],
        linger: float = LINGER_SECONDS,
    ) -> None:
        self.webhook_id = webhook_id
        self._store = store
        self._sender = sender
        self._schedule = schedule
        self._clock = clock
        self._jitter = jitter
        self._is_certain = is_certain
        self._count_attempt = count_attempt
        self._linger = linger
        self._concurrency = ConcurrencyLimit()
        self._endpoint: Endpoint | None = None
        self._failing_since: datetime | None = None
        self._paused_until: datetime | None = None
        self._queue: deque[DueDelivery] = deque()
        self._in_hand: set[str] = set()
        self._set_aside: set[str] = set()
        self._refused = False
        self._recorded_while_asking: set[str] = set()
        self._started_at: dict[str, float] = {}
        self._marked: set[str] = set()
        self._unrecorded = 0
        self._more = False
        self._has_retries = False
        self._workers: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._written = asyncio.Event()
        self._stopping = False

    def wake(self, due: int) -> None:
        """Fetch more where more deliveries are due than those in hand. `due` counts them all, up to
        COUNT_LIMIT: an endpoint that hangs is not asked again for what is already in hand."""
        if due > len(self._in_hand) or due >= COUNT_LIMIT:
            self._more = True
            self._wake_if_low()

    def _wake_if_low(self) -> None:
        if self._more and len(self._queue) < REFILL_BELOW:
            self._woken.set()

    @property
    def is_stopping(self) -> bool:
        return self._stopping

    def stop(self) -> None:
        """Start no further deliveries; those in flight are finished and recorded."""
        self._stopping = True
        self._queue.clear()
        self._woken.set()

    async def run(self) -> None:
        idle_since = time.monotonic()
        try:
            while not self._stopping:
                self._woken.clear()
                batch = await self._fetch()
                if batch.endpoint is None:
                    return
                if self._is_pausing() and not self._workers:
                    self._put_back()
                if self._in_hand:
                    idle_since = time.monotonic()
                elif time.monotonic() - idle_since >= self._linger:
                    return
                await self._wait(batch, idle_since + self._linger)
        finally:
            self._stopping = True
            self._queue.clear()
            await self._finish()
            self._store.post([EndpointReleased(self.webhook_id)], _nothing)

    async def _fetch(self) -> Batch:
        """Read how the endpoint is now, and where there may be more deliveries due than those in hand, put
        them into the queue."""
        self._recorded_while_asking.clear()
        limit = 0
        excluded = self._in_hand | self._set_aside if self._set_aside else self._in_hand
        if len(self._queue) < REFILL_BELOW and (self._more or not self._in_hand):
            limit = BATCH + len(excluded)
            self._more = self._has_retries = False
        self._refused = False
        batch = await self._store.ask(BatchRequest(self.webhook_id, limit, excluded))
        if batch.endpoint is None:
            self._queue.clear()
            return batch
        self._more |= batch.more
        self._endpoint = batch.endpoint
        if not self._unrecorded:
            self._failing_since = batch.endpoint.failing_since
            self._paused_until = batch.endpoint.slow_until
        # A delivery whose result was committed while the rows were read may still look due in them.
        for due in batch.deliveries:
            if due.delivery_id not in self._in_hand and due.delivery_id not in self._recorded_while_asking:
                self._in_hand.add(due.delivery_id)
                self._queue.append(due)
        self._fill()
        return batch

    async def _wait(self, batch: Batch, until: float) -> None:
        """Wait until the worker is woken, more is due, a pause ends, or nothing has been due for a while."""
        if self._more and len(self._queue) < REFILL_BELOW and not self._is_pausing():
            return
        seconds = until - time.monotonic() if not self._in_hand else REFRESH_SECONDS
        now = self._clock()
        for moment in (batch.next_at, self._paused_until):
            if moment is not None and moment > now:
                seconds = min(seconds, (moment - now).total_seconds())
        try:
            async with asyncio.timeout(max(seconds, 0.001)):
                await self._woken.wait()
        except TimeoutError:
            self._more |= batch.next_at is not None and batch.next_at <= self._clock()

    def _put_back(self) -> None:
        """Release the deliveries that were not begun; they stay due."""
        self._in_hand.difference_update(due.delivery_id for due in self._queue)
        self._queue.clear()

    def _is_pausing(self) -> bool:
        return self._paused_until is not None and self._paused_until > self._clock()

    def _fill(self) -> None:
        """Start as many senders as the endpoint may have and there is work for."""
        wanted = min(self._concurrency.limit, len(self._workers) + len(self._queue))
        while len(self._workers) < wanted and self._may_send():
            worker = asyncio.create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    def _may_send(self) -> bool:
        return (
            bool(self._queue)
            and not self._stopping
            and not self._refused
            and self._unrecorded < MAX_UNRECORDED
            and not self._is_pausing()
            and self._is_certain()
        )

    async def _work(self) -> None:
        """Send one delivery after another while there are any."""
        while self._may_send() and len(self._workers) <= self._concurrency.limit:
            due = self._queue.popleft()
            self._started_at[due.delivery_id] = time.monotonic()
            try:
                self._record(due, await self._send(due))
            except Exception:
                _log.exception("The endpoint worker of webhook %s stops.", self.webhook_id)
                self.stop()
                return
            finally:
                self._started_at.pop(due.delivery_id, None)
                self._marked.discard(due.delivery_id)
            self._wake_if_low()

    async def _send(self, due: DueDelivery) -> Exchange:
        endpoint = self._endpoint
        assert endpoint is not None
        now = self._clock()
        if not endpoint.signer:
            return Exchange(now, 0, {}, None, UNSIGNABLE)
        return await self._sender.send(endpoint.url, due.message, endpoint.signer, now=now)

    def _record(self, due: DueDelivery, exchange: Exchange) -> None:
        """Hand an attempt to the store to be recorded, with the time of the next one."""
        now = self._clock()
        result = exchange.result
        self._count_attempt(result.outcome)
        next_at = None
        if not result.final:
            next_at = compute_next_attempt(
                self._schedule,
                tried=due.tried + 1,
                now=now,
                jitter=self._jitter(),
                retry_after=result.retry_after,
            )
        entries: list[QueueUpdate] = [FinishedAttempt(due, exchange, now, next_at)]
        changes = self._changes(result, now, exhausted=next_at is None)
        if changes:
            turned_off_at = None if changes.get("enabled", True) else now
            entries.append(EndpointChanged(self.webhook_id, changes, turned_off_at))
        self._has_retries |= next_at is not None
        self._unrecorded += 1
        self._store.post(entries, partial(self._on_recorded, due.delivery_id))

    def _changes(self, result: AttemptResult, now: datetime, *, exhausted: bool) -> dict[str, object]:
        """Return the columns of the webhook that an attempt changes; stop where it turns the webhook off."""
        changes: dict[str, object] = {}
        pause = self._concurrency.record_result(result)
        if pause:
            self._paused_until = now + timedelta(seconds=pause)
            changes["slow_until"] = self._paused_until
        turn_off = result.disable_reason
        if result.succeeded:
            if self._failing_since is not None:
                self._failing_since = changes["failing_since"] = None
        elif self._failing_since is None:
            self._failing_since = changes["failing_since"] = now
        elif exhausted and now - self._failing_since >= DISABLE_AFTER:
            turn_off = turn_off or "All deliveries failed for five days."
        if turn_off is not None:
            changes |= {"enabled": False, "disabled_reason": turn_off}
            self.stop()
        return changes

    def _on_recorded(self, delivery_id: str, written: bool) -> None:
        self._unrecorded -= 1
        self._in_hand.discard(delivery_id)
        self._recorded_while_asking.add(delivery_id)
        if not written:
            # It may still look due. Sent again, its attempt would be refused again.
            self._set_aside.add(delivery_id)
            self._refused = True
            self._woken.set()
        if self._queue:
            self._fill()
        elif not self._in_hand and self._has_retries:
            self._woken.set()
        self._written.set()

    def mark_slow_deliveries(self) -> None:
        """Mark the deliveries that have been in flight for a while; fast ones are never marked."""
        since = time.monotonic() - SLOW_AFTER_SECONDS
        slow = [id for id, began in self._started_at.items() if began < since and id not in self._marked]
        if slow:
            self._marked.update(slow)
            self._store.post([SlowDelivery(id, self._clock()) for id in slow], _nothing)

    async def _finish(self) -> None:
        """Wait until what is in flight has ended and its results are committed."""
        while self._workers or self._unrecorded:
            if self._workers:
                await asyncio.wait(self._workers)
            else:
                self._written.clear()
                await self._written.wait()


def _nothing(_written: bool) -> None:
    pass


_MARK_SECONDS = 0.25


class EndpointWorkers:
    """To be made in the event loop that sends."""

    def __init__(
        self,
        context: Context,
        store: DeliveryStore,
        *,
        is_certain: Callable[[], bool],
        timeout: float = TIMEOUT_SECONDS,
        linger: float = LINGER_SECONDS,
    ) -> None:
        self._context = context
        self._store = store
        self._is_certain = is_certain
        self._sender = Sender(allow=context.settings.webhook_allow, timeout=timeout)
        self._linger = linger
        self._running: dict[str, EndpointWorker] = {}
        self._stopping = False
        self._ended = asyncio.Event()
        self._marking = asyncio.create_task(self._mark_slow_deliveries())

    async def run(self, webhook_id: str) -> None:
        """Sends to one endpoint until nothing has been due for a while."""
        if self._stopping or webhook_id in self._running:
            return
        worker = EndpointWorker(
            webhook_id,
            store=self._store,
            sender=self._sender,
            schedule=self._context.settings.retry_schedule,
            clock=self._context.clock,
            jitter=random.random,
            is_certain=self._is_certain,
            count_attempt=self._context.metrics.count_attempt,
            linger=self._linger,
        )
        self._running[webhook_id] = worker
        try:
            await worker.run()
        except Exception as error:
            # The rows stay due, so the next sweep starts it again.
            _log.error(
                "The endpoint worker of webhook %s stopped: %s", webhook_id, str(error).partition("\n")[0]
            )
        finally:
            del self._running[webhook_id]
            self._ended.set()

    def wake(self, due: Mapping[str, int]) -> Sequence[str]:
        """Tells the running endpoint workers how much is due; returns the webhooks that have none in this
        process."""
        absent: list[str] = []
        for webhook_id, count in due.items():
            worker = self._running.get(webhook_id)
            if worker is None:
                absent.append(webhook_id)
            else:
                worker.wake(count)
        return absent

    def hand_over(self, webhook_ids: Sequence[str]) -> None:
        """Ends these endpoint workers, so that another process takes their webhooks: what is in flight is
        finished and recorded first."""
        for webhook_id in webhook_ids:
            if webhook_id in self._running:
                _log.info("Handing webhook %s over to another worker.", webhook_id)
                self._running[webhook_id].stop()

    def list_stopping(self) -> list[str]:
        """The webhooks whose workers are ending. May be called from any thread."""
        return [id for id, worker in list(self._running.items()) if worker.is_stopping]

    async def stop(self) -> None:
        """Ends the endpoint workers: nothing new is sent, what is in flight is finished and recorded."""
        self._stopping = True
        for worker in self._running.values():
            worker.stop()
        while self._running:
            self._ended.clear()
            await self._ended.wait()
        self._marking.cancel()
        await self._sender.close()

    async def _mark_slow_deliveries(self) -> None:
        while True:
            await asyncio.sleep(_MARK_SECONDS)
            for worker in self._running.values():
                worker.mark_slow_deliveries()
