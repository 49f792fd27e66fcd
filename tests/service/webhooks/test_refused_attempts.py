"""An attempt that cannot be recorded, or that came to its end too late, harms no other delivery."""

import asyncio

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.dialect import Dialect, dialect_of
from app.service.database.tables import attempt, delivery
from app.service.webhooks import store
from tests.service.webhooks.receivers import Endpoint, Received, endpoint, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states
from tests.service.webhooks.worker_harness import delivering, impatient, outcomes, run, until


class HeldAnswer:
    """Answers each request at once, except the first one to each event of `held`: that when released."""

    def __init__(self, code: int = 200) -> None:
        self.held: set[str] = set()
        self.released = asyncio.Event()
        self._answer = status(code)

    async def __call__(self, received: Received, writer: asyncio.StreamWriter) -> None:
        if received.headers["webhook-id"] in self.held:
            self.held.discard(received.headers["webhook-id"])
            await self.released.wait()
            await self._answer(received, writer)
        else:
            await status(200)(received, writer)


def delivery_of(context: Context, event_id: str) -> sa.Row[tuple[object, ...]]:
    with context.database.reading() as connection:
        return connection.execute(sa.select(delivery).where(delivery.c.event_id == event_id)).one()


def count_received(told: Endpoint, event_id: str) -> int:
    return sum(each.headers["webhook-id"] == event_id for each in told.received)


@pytest.mark.campaign
@pytest.mark.parametrize("code", [200, 500])
def test_what_is_asked_for_again_is_sent_again_though_an_older_attempt_ends_later(
    context: Context, code: int
) -> None:
    context = impatient(context, 0, 600)

    async def work() -> None:
        answer = HeldAnswer(code)
        async with endpoint(answer) as told:
            id, _ = a_webhook(context, told.url)
            [event_id] = happen(context, id)
            answer.held = {event_id}
            async with delivering(context, seconds=30):
                await until(lambda: count_received(told, event_id) == 1)
                with context.database.writing() as connection:
                    row = delivery_of(context, event_id)
                    store.reschedule_deliveries(connection, [row.id], context.clock())
                answer.released.set()
                await until(lambda: count_received(told, event_id) == 2)
                await until(lambda: states(context, id) == {"succeeded": 1})
        assert outcomes(context, id) == ["succeeded" if code == 200 else "server_error", "succeeded"]
        assert delivery_of(context, event_id).attempts == 2

    run(work())


def test_a_delivery_that_is_deleted_in_hand_holds_up_nothing(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        answer = HeldAnswer()
        async with endpoint(answer) as told:
            id, _ = a_webhook(context, told.url)
            [deleted] = happen(context, id)
            answer.held = {deleted}
            async with delivering(context, seconds=30):
                await until(lambda: count_received(told, deleted) == 1)
                with context.database.writing() as connection:
                    connection.execute(sa.delete(delivery).where(delivery.c.event_id == deleted))
                answer.released.set()
                await asyncio.to_thread(happen, context, id, 30)
                await until(lambda: states(context, id) == {"succeeded": 30})

    run(work())


@pytest.mark.parametrize(("refused", "succeeded"), [("attempt", 40), ("delivery", 39)])
def test_what_the_store_refuses_is_set_aside_alone(context: Context, refused: str, succeeded: int) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(200)) as told:
            id, _ = a_webhook(context, told.url)
            events = happen(context, id, 40)
            refuse_writes(context, refused, delivery_of(context, events[7]).id)
            try:
                async with delivering(context):
                    await until(lambda: states(context, id).get("succeeded", 0) == succeeded)
                    await asyncio.to_thread(happen, context, id, 10)
                    await until(lambda: states(context, id).get("succeeded", 0) == succeeded + 10)
                    assert count_received(told, events[7]) == 1
            finally:
                accept_writes(context, refused)

    run(work())


def test_of_two_attempts_with_one_number_the_first_that_is_recorded_stands(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        answer = HeldAnswer(500)
        async with endpoint(answer) as told:
            id, _ = a_webhook(context, told.url)
            [event_id] = happen(context, id)
            answer.held = {event_id}
            async with delivering(context, seconds=30):
                await until(lambda: count_received(told, event_id) == 1)
                with context.database.writing() as connection:  # as another worker records it
                    row = delivery_of(context, event_id)
                    connection.execute(
                        sa.update(delivery).values(status="succeeded", attempts=1, next_at=None)
                    )
                    connection.execute(
                        sa.insert(attempt).values(
                            delivery_id=row.id,
                            number=1,
                            started_at=context.clock(),
                            duration_ms=1,
                            outcome="succeeded",
                            request_headers={},
                            response_status=200,
                        )
                    )
                answer.released.set()
                await asyncio.sleep(0.3)
        assert states(context, id) == {"succeeded": 1}
        assert outcomes(context, id) == ["succeeded"]

    run(work())


REFUSALS = {
    Dialect.SQLITE: """CREATE TRIGGER refuse_writes BEFORE {event} ON {table} WHEN NEW.{column} = '{id}'
        BEGIN SELECT RAISE(ABORT, 'this row is refused'); END""",
    Dialect.POSTGRESQL: """CREATE FUNCTION refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.{column} = '{id}' THEN RAISE EXCEPTION 'this row is refused'; END IF; RETURN NEW; END $$;
        CREATE TRIGGER refuse_writes BEFORE {event} ON {table}
        FOR EACH ROW EXECUTE FUNCTION refuse_writes()""",
}
ACCEPTANCES = {
    Dialect.SQLITE: "DROP TRIGGER refuse_writes",
    Dialect.POSTGRESQL: "DROP TRIGGER refuse_writes ON {table}; DROP FUNCTION refuse_writes",
}


def refuse_writes(context: Context, table: str, delivery_id: str) -> None:
    """The store itself refuses what is written of one delivery."""
    event, column = {"attempt": ("INSERT", "delivery_id"), "delivery": ("UPDATE", "id")}[table]
    with context.database.writing() as connection:
        statement = REFUSALS[dialect_of(connection)]
        connection.exec_driver_sql(statement.format(event=event, table=table, column=column, id=delivery_id))


def accept_writes(context: Context, table: str) -> None:
    with context.database.writing() as connection:
        connection.exec_driver_sql(ACCEPTANCES[dialect_of(connection)].format(table=table))
