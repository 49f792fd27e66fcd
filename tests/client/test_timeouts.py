"""No call waits for ever."""

import asyncio
import socket
import threading
import time
from contextlib import suppress

import httpx
import pytest

from app.client import AsyncApiClient, Credentials, Retries, TimedOut, Timeouts
from tests.client import records
from tests.client.flavours import Connect
from tests.client.records import ID
from tests.client.scripted import Drips, Hangs, Says, ScriptedService

ONCE = Retries(tries=1)


class Recorder(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Notes the time limits of each request."""

    def __init__(self) -> None:
        self.limits: list[dict[str, float]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.limits.append(request.extensions["timeout"])
        body = {"id": ID} if request.method == "POST" else records.company()
        return httpx.Response(200, json=body)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return self.handle_request(request)


def test_a_read_may_take_30_seconds_an_upload_120_and_a_connection_5(connect: Connect) -> None:
    recorder = Recorder()
    with connect("http://parley.example", transport=recorder) as parley:
        parley.catalog.company(ID)
        parley.files.upload(b"content")
    read, upload = recorder.limits
    assert (read["connect"], read["read"]) == (5, 30)
    assert (upload["connect"], upload["read"], upload["write"]) == (5, 120, 120)


def test_silence_ends(service: ScriptedService, connect: Connect) -> None:
    service.script(Hangs())
    began = time.monotonic()
    with (
        connect(service.address, timeouts=Timeouts(read=0.2), retries=ONCE) as parley,
        pytest.raises(TimedOut),
    ):
        parley.catalog.company(ID)
    assert time.monotonic() - began < 5


@pytest.mark.campaign
def test_an_answer_that_only_drips_ends_though_it_is_never_silent(
    service: ScriptedService, connect: Connect
) -> None:
    service.script(Drips(every=0.02))
    began = time.monotonic()
    with (
        connect(service.address, timeouts=Timeouts(read=1, whole=0.3), retries=ONCE) as parley,
        pytest.raises(TimedOut),
    ):
        parley.catalog.company(ID)
    assert time.monotonic() - began < 5


def test_a_host_that_does_not_take_the_connection_is_given_up(connect: Connect) -> None:
    # A listener whose queue is full: the kernel drops further attempts to connect.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        try:
            for each in waiting:
                each.setblocking(False)
                each.connect_ex(listener.getsockname())
            timeouts = Timeouts(connect=0.2, read=0.5)
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with (
                connect(address, timeouts=timeouts, retries=ONCE) as parley,
                pytest.raises(TimedOut) as raised,
            ):
                parley.health.report()
            assert "connection" in str(raised.value)
        finally:
            for each in waiting:
                each.close()


@pytest.mark.campaign
def test_a_call_that_finds_all_connections_in_use_ends(service: ScriptedService, connect: Connect) -> None:
    service.script(Hangs())
    timeouts = Timeouts(connect=0.1, read=1.0)
    with connect(service.address, timeouts=timeouts, retries=ONCE, max_connections=1) as parley:

        def occupy() -> None:
            with suppress(TimedOut):
                parley.health.report()

        first = threading.Thread(target=occupy)
        first.start()
        while not service.received:
            time.sleep(0.01)
        with pytest.raises(TimedOut, match="in use"):
            parley.health.report()
        first.join()


def test_a_call_that_its_program_gives_up_frees_its_connection(service: ScriptedService) -> None:
    async def work() -> None:
        async with AsyncApiClient(service.address, max_connections=1) as parley:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(parley.health.report(), 0.3)
            assert service.received
            assert (await parley.health.report()).status == "ok"

    service.script(Hangs(), Says(200, records.health()))
    asyncio.run(work())


@pytest.mark.campaign
def test_an_upload_is_given_its_own_time(service: ScriptedService, connect: Connect) -> None:
    def slowly(_: object) -> Says:
        time.sleep(0.3)
        return Says(201, {"id": ID})

    service.reply = slowly
    with connect(service.address, timeouts=Timeouts(read=0.1, upload=5), retries=ONCE) as parley:
        assert parley.files.upload(b"content").id == ID


def test_all_tries_of_a_view_with_a_limit_end_together(service: ScriptedService, connect: Connect) -> None:
    service.script(Hangs(), Hangs(), Hangs())
    began = time.monotonic()
    with connect(service.address, api_key="key") as parley, pytest.raises(TimedOut):
        parley.acting_for(Credentials("key"), seconds=0.3).catalog.company(ID)
    assert time.monotonic() - began < 5


def test_a_view_with_a_limit_answers_while_there_is_time_and_has_the_shorter_of_two_limits(
    connect: Connect,
) -> None:
    recorder = Recorder()
    with connect("http://parley.example", transport=recorder) as parley:
        parley.acting_for(Credentials("key"), seconds=8).catalog.company(ID)
        parley.acting_for(Credentials("key"), seconds=100).catalog.company(ID)
        parley.acting_for(Credentials("key")).catalog.company(ID)
    short, long, plain = recorder.limits
    assert short["connect"] == 5
    assert 7 < short["read"] <= 8
    assert (long["connect"], long["read"]) == (plain["connect"], plain["read"]) == (5, 30)
