"""The pumps of one worker: at most one for each endpoint."""

import asyncio
import logging
import random
from collections.abc import Mapping, Sequence

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
        timeout: float = TIMEOUT_SECONDS,
        linger: float = LINGER_SECONDS,
    ) -> None:
        self._context = context
        self._store = store
        self._sender = Sender(allow=context.settings.webhook_allow, timeout=timeout)
        self._linger = linger
        self._running: dict[str, EndpointWorker] = {}
        self._stopping = False
        self._ended = asyncio.Event()
        self._marking = asyncio.create_task(self._mark_slow_deliveries())

    async def run(self, webhook_id: str) -> None:
        """Pumps for one endpoint until nothing has been due for a while."""
        if self._stopping or webhook_id in self._running:
            return
        pump = EndpointWorker(
            webhook_id,
            store=self._store,
            sender=self._sender,
            schedule=self._context.settings.retry_schedule,
            clock=self._context.clock,
            jitter=random.random,
            linger=self._linger,
        )
        self._running[webhook_id] = pump
        try:
            await pump.run()
        except Exception as error:
            # The rows stay due, so the next sweep starts it again.
            log.error("The pump of webhook %s stopped: %s", webhook_id, str(error).partition("\n")[0])
        finally:
            del self._running[webhook_id]
            self._ended.set()

    def wake(self, due: Mapping[str, int]) -> Sequence[str]:
        """Tells the running pumps how much is due; answers which endpoints have none running here."""
        absent: list[str] = []
        for webhook_id, count in due.items():
            pump = self._running.get(webhook_id)
            if pump is None:
                absent.append(webhook_id)
            else:
                pump.wake(count)
        return absent

    async def stop(self) -> None:
        """Ends the pumps: nothing new is sent, what is in flight is finished and recorded."""
        self._stopping = True
        for pump in self._running.values():
            pump.stop()
        while self._running:
            self._ended.clear()
            await self._ended.wait()
        self._marking.cancel()
        await self._sender.close()

    async def _mark_slow_deliveries(self) -> None:
        while True:
            await asyncio.sleep(MARK_SECONDS)
            for pump in self._running.values():
                pump.mark_slow_deliveries()
