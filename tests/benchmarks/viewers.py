"""People who each rerun a page once a second, over Streamlit's own socket."""

import asyncio
import statistics
import time
from dataclasses import dataclass

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

EVERY_SECONDS = 1.0
_LARGEST_END = 200
"""The message that ends a run is smaller: larger ones need not be parsed, which would be our own load."""


@dataclass(frozen=True)
class View:
    """A page of a dashboard, and the cookie of who is signed in."""

    address: str
    page: str
    cookie: str

    @property
    def socket(self) -> str:
        return f"{self.address.replace('http', 'ws', 1)}/_stcore/stream"


def rerun_p95(view: View, sessions: int, seconds: float) -> float:
    """Milliseconds from asking for a run to its end, of so many sessions at one run a second."""
    times = asyncio.run(_all(view, sessions, seconds))
    return statistics.quantiles(times, n=20)[-1]


async def _all(view: View, sessions: int, seconds: float) -> list[float]:
    # All have joined before the first one is timed: a first run costs more than a rerun.
    joined = asyncio.Barrier(sessions)
    lists = await asyncio.gather(
        *(_one(view, joined, at * EVERY_SECONDS / sessions, seconds) for at in range(sessions))
    )
    return [took for times in lists for took in times]


async def _one(view: View, joined: asyncio.Barrier, offset: float, seconds: float) -> list[float]:
    async with connect(
        view.socket,
        subprotocols=["streamlit"],  # pyright: ignore[reportArgumentType] - a NewType of str
        additional_headers={"Cookie": view.cookie},
        origin=view.address,  # pyright: ignore[reportArgumentType] - the same
        max_size=None,
        open_timeout=60,
    ) as socket:
        await _rerun(socket, view.page)
        await joined.wait()
        due = time.monotonic() + offset
        end = due + seconds
        times: list[float] = []
        while due < end:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await _rerun(socket, view.page)
            # From when it was due: a late start is a wait too.
            times.append(1000 * (time.monotonic() - due))
            due += EVERY_SECONDS
        return times


async def _rerun(socket: ClientConnection, page: str) -> None:
    message = BackMsg()
    message.rerun_script.page_name = page
    await socket.send(message.SerializeToString())
    async for data in socket:
        if isinstance(data, bytes) and len(data) < _LARGEST_END:
            answer = ForwardMsg.FromString(data)
            if answer.WhichOneof("type") == "script_finished":
                return
    raise RuntimeError("the dashboard closed the socket")
