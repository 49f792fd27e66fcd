"""The endpoint workers of one process: at most one for each endpoint."""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping, Sequence

from app.service.context import Context
from app.service.webhooks.endpoint_worker import LINGER_SECONDS, DeliveryStore, EndpointWorker
from app.service.webhooks.sending import TIMEOUT_SECONDS, Sender

log = logging.getLogger(__name__)

MARK_SECONDS = 0.25


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
            log.error(
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
                log.info("Handing webhook %s over to another worker.", webhook_id)
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
            await asyncio.sleep(MARK_SECONDS)
            for worker in self._running.values():
                worker.mark_slow_deliveries()
