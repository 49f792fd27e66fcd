import asyncio

import pytest

from app.service.webhooks.sending_limits import TimeLimit


async def waits(limit: TimeLimit, seconds: float) -> str:
    try:
        with limit:
            await asyncio.sleep(seconds)
    except TimeoutError:
        return "ended"
    return "through"


def test_what_takes_too_long_ends_and_nothing_else_does():
    async def scenario() -> list[str]:
        limit = TimeLimit(0.15)
        early = [asyncio.create_task(waits(limit, seconds)) for seconds in (9.0, 0.0, 9.0)]
        await asyncio.sleep(0.1)
        late = [asyncio.create_task(waits(limit, seconds)) for seconds in (0.1, 9.0)]
        return await asyncio.gather(*early, *late)

    assert asyncio.run(scenario()) == ["ended", "through", "ended", "through", "ended"]


def test_each_has_the_whole_time_from_its_own_beginning():
    async def scenario() -> list[float]:
        limit, loop = TimeLimit(0.1), asyncio.get_running_loop()

        async def taken(after: float) -> float:
            await asyncio.sleep(after)
            began = loop.time()
            assert await waits(limit, 9.0) == "ended"
            return loop.time() - began

        return list(await asyncio.gather(taken(0.0), taken(0.05), taken(0.3)))

    assert all(seconds >= 0.1 for seconds in asyncio.run(scenario()))


def test_a_task_that_was_ended_once_goes_on_and_can_be_ended_again():
    async def scenario() -> list[str]:
        limit = TimeLimit(0.05)
        return [await waits(limit, seconds) for seconds in (9.0, 0.0, 9.0)]

    assert asyncio.run(scenario()) == ["ended", "through", "ended"]


def test_who_cancels_the_task_from_outside_cancels_it():
    async def scenario() -> None:
        task = asyncio.create_task(waits(TimeLimit(5.0), 9.0))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(scenario())


def test_an_error_of_the_work_stays_what_it_was():
    async def scenario() -> None:
        with TimeLimit(5.0):
            raise LookupError("nothing there")

    with pytest.raises(LookupError):
        asyncio.run(scenario())
