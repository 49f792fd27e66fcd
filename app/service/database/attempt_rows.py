"""Writes attempts and what they make of their deliveries.

The rows of a group travel as one JSON text. With a parameter for each value the driver is entered for each
row or for each of a few sizes of groups, and gives up the interpreter's lock each time, which beside a busy
event loop made recording three times slower.
"""

from sqlalchemy import Connection

from app.service.database.dialect import Dialect, dialect_of


def write_attempts(connection: Connection, worker_id: str, deliveries: str, attempts: str | None) -> int:
    """Updates deliveries and adds attempts, each a JSON list of objects that are named like the columns;
    returns how many were written. Without attempts only the deliveries are updated.

    `number` of a delivery is that of its latest attempt, `ended_at` when that ended. Nothing is written of an
    attempt whose webhook is not this worker's, whose number is not the next one of its delivery, or whose
    delivery is gone. Of one that was made before its delivery was asked for again (another `schedule_round`),
    only that it was made is written.
    """
    # SQLite takes two texts, because it reads the whole of one again for each statement.
    is_sqlite = dialect_of(connection) is Dialect.SQLITE
    if attempts is None:
        update = _UPDATE_IN_SQLITE if is_sqlite else _UPDATE_IN_POSTGRESQL
        return len(connection.exec_driver_sql(f"{update} RETURNING 1", (deliveries, worker_id)).all())
    if is_sqlite:
        connection.exec_driver_sql(_UPDATE_IN_SQLITE, (deliveries, worker_id))
        return connection.exec_driver_sql(_INSERT_IN_SQLITE, (attempts,)).rowcount
    return connection.exec_driver_sql(_BOTH_IN_POSTGRESQL, (deliveries, worker_id, attempts)).rowcount


def _from_sqlite_json(fields: str) -> str:
    extracted = (f"json_extract(value, '$.{field}') AS {field}" for field in fields.split(", "))
    return f"SELECT {', '.join(extracted)} FROM json_each(?)"


def _if_same_round(column: str, otherwise: str) -> str:
    return (
        f"{column} = CASE WHEN delivery.schedule_round = made.schedule_round"
        f" THEN made.{column} ELSE {otherwise} END"
    )


# The conditions are written as values, not as joins: PostgreSQL would begin with all deliveries of the
# webhook, or compare each row with each, and recording took ten times longer.
_UPDATE = f"""UPDATE delivery SET attempts = made.number, response_status = made.response_status,
    last_attempt_at = made.started_at, updated_at = made.ended_at,
    successful_at = coalesce(made.successful_at, delivery.successful_at),
    {_if_same_round("status", "'pending'")},
    {_if_same_round("step", "delivery.step")},
    {_if_same_round("next_at", "delivery.next_at")}
    FROM made WHERE delivery.id = made.delivery_id AND delivery.attempts = made.number - 1
    AND (SELECT worker_id FROM webhook WHERE webhook.id = delivery.webhook_id) = :worker"""
_MADE = (
    "delivery_id, status, number, step, schedule_round, response_status, next_at, started_at, successful_at, "
    "ended_at"
)
_UPDATE_IN_SQLITE = (
    f"WITH made AS MATERIALIZED ({_from_sqlite_json(_MADE)}) {_UPDATE.replace(':worker', '?')}"
)

_ATTEMPT = (
    "delivery_id, number, started_at, duration_ms, outcome, detail, request_headers, response_status, "
    "response_headers, response_body"
)
# The driver counts the rows of a statement only when it begins with what it does.
_INSERT_IN_SQLITE = f"""INSERT INTO attempt ({_ATTEMPT}) SELECT added.* FROM
    ({_from_sqlite_json(_ATTEMPT)}) AS added JOIN delivery ON delivery.id = added.delivery_id
    WHERE delivery.attempts = added.number ON CONFLICT DO NOTHING"""

_MADE_IN_POSTGRESQL = """WITH made AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(%s::jsonb) AS made (
    delivery_id text, status text, number int, step int, schedule_round int, response_status int,
    next_at timestamptz, started_at timestamptz, successful_at timestamptz, ended_at timestamptz))"""
_UPDATE_IN_POSTGRESQL = f"{_MADE_IN_POSTGRESQL} {_UPDATE.replace(':worker', '%s')}"
_BOTH_IN_POSTGRESQL = f"""{_MADE_IN_POSTGRESQL},
    updated AS ({_UPDATE.replace(":worker", "%s")} RETURNING delivery.id)
    INSERT INTO attempt ({_ATTEMPT}) SELECT {_ATTEMPT} FROM jsonb_to_recordset(%s::jsonb) AS added (
        delivery_id text, number int, started_at timestamptz, duration_ms int, outcome text, detail text,
        request_headers jsonb, response_status int, response_headers jsonb, response_body text)
    WHERE (added.delivery_id IN (SELECT id FROM updated)) IS TRUE ON CONFLICT DO NOTHING"""
