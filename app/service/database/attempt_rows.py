"""Writes attempts and what they make of their deliveries.

The rows of a group travel as one JSON text. With a parameter for each value the driver is entered for each
row or for each of a few sizes of groups, and gives up the interpreter's lock each time, which beside a busy
event loop made recording three times slower.
"""

from sqlalchemy import Connection

from app.service.database.dialect import Dialect, dialect_of


def write_attempts(connection: Connection, deliveries: str, attempts: str) -> None:
    """Updates deliveries and adds attempts, each a JSON list of objects that are named like the columns.
    `number` of a delivery is that of its latest attempt, `ended_at` when that ended. An attempt that exists
    already stays as it is."""
    # SQLite takes two texts, because it reads the whole of one again for each statement.
    if dialect_of(connection) is Dialect.SQLITE:
        connection.exec_driver_sql(_UPDATE_IN_SQLITE, (deliveries,))
        connection.exec_driver_sql(_INSERT_IN_SQLITE, (attempts,))
    else:
        connection.exec_driver_sql(_BOTH_IN_POSTGRESQL, (deliveries, attempts))


def _from_sqlite_json(fields: str) -> str:
    extracted = (f"json_extract(value, '$.{field}') AS {field}" for field in fields.split(", "))
    return f"SELECT {', '.join(extracted)} FROM json_each(?)"


_UPDATE = """UPDATE delivery SET status = made.status, attempts = made.number, step = made.step,
    response_status = made.response_status, next_at = made.next_at, last_attempt_at = made.started_at,
    successful_at = coalesce(made.successful_at, delivery.successful_at), updated_at = made.ended_at
    FROM made WHERE delivery.id = made.delivery_id"""
_MADE = "delivery_id, status, number, step, response_status, next_at, started_at, successful_at, ended_at"
_UPDATE_IN_SQLITE = f"WITH made AS MATERIALIZED ({_from_sqlite_json(_MADE)}) {_UPDATE}"

_ATTEMPT = (
    "delivery_id, number, started_at, duration_ms, outcome, detail, request_headers, response_status, "
    "response_headers, response_body"
)
_INSERT_IN_SQLITE = f"INSERT OR IGNORE INTO attempt ({_ATTEMPT}) {_from_sqlite_json(_ATTEMPT)}"

_BOTH_IN_POSTGRESQL = f"""WITH made AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(%s::jsonb) AS made (
        delivery_id text, status text, number int, step int, response_status int, next_at timestamptz,
        started_at timestamptz, successful_at timestamptz, ended_at timestamptz)),
    updated AS ({_UPDATE})
    INSERT INTO attempt ({_ATTEMPT}) SELECT {_ATTEMPT} FROM jsonb_to_recordset(%s::jsonb) AS added (
        delivery_id text, number int, started_at timestamptz, duration_ms int, outcome text, detail text,
        request_headers jsonb, response_status int, response_headers jsonb, response_body text)
    ON CONFLICT DO NOTHING"""
