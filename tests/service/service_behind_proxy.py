"""A service whose PostgreSQL is behind a proxy that can refuse, cut and stall."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.migrated_database import provide_schema
from tests.service.postgres import empty
from tests.service.tcp_proxy import TcpProxy, proxy_to


@dataclass
class ServiceBehindProxy:
    """A started service, a caller with a full key, and the proxy before its database."""

    api: TestClient
    proxy: TcpProxy
    context: Context


@contextmanager
def service_behind_proxy(database_url: str, data_dir: Path) -> Generator[ServiceBehindProxy]:
    """The service on that database, which is emptied; it waits a second for the database."""
    empty(database_url)
    address = urlsplit(database_url)
    with proxy_to(address.hostname or "", address.port or 0) as proxy:
        app = create_service(
            Settings(
                database_url=address._replace(netloc=f"parley@127.0.0.1:{proxy.port}").geturl(),
                data_dir=data_dir,
                rate_limit=0,
                secret_key=SecretStr(VAULT_KEY),
                database_timeout=1,
            )
        )
        context = CONTEXT.get(app)
        provide_schema(context.database)
        with TestClient(app, raise_server_exceptions=False) as api:
            api.headers["Authorization"] = f"Bearer {key_for(context)}"
            yield ServiceBehindProxy(api, proxy, context)
