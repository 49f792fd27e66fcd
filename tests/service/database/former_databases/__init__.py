"""Databases of the versions before 0.3.0, as these versions left them.

Each was filled by the processes of its version, through commands and the interface: keys, an import, quotes,
scopes, negotiations, webhooks whose secrets were rotated, deliveries that failed, and work that no worker has
taken yet. One of each version is a file of SQLite, the other a dump of PostgreSQL.
"""

import gzip
from pathlib import Path

import psycopg

from app.service.database.engine import Database, open_database

FOLDER = Path(__file__).parent
VERSIONS = {"0.1": "20261120b", "0.2": "20261128"}
"""Their revisions."""
KEY_OF_SECRETS = "bm90LWEtc2VjcmV0LWJ1dC1hLXRlc3Qta2V5LTAxMjM="
"""The secret key of the deployments, as PARLEY_SECRET_KEY."""


def open_former_file(version: str, file: Path) -> Database:
    """The SQLite database of that version in a file, which is made."""
    file.write_bytes(gzip.decompress((FOLDER / f"{version}.sqlite3.gz").read_bytes()))
    return open_database(f"sqlite:///{file}")


def open_former_dump(version: str, url: str) -> Database:
    """The database of that version in PostgreSQL, loaded into an empty one."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(gzip.decompress((FOLDER / f"{version}.sql.gz").read_bytes()))
    return open_database(url.replace("postgresql://", "postgresql+psycopg://"))
