from app.contract.scope_list import ListedScope
from components.formatting import datetimes
from components.scopes.scope_card import draw_recent_scopes
from tests.components.scopes.fixtures import make_scope


def example() -> None:
    draw_recent_scopes([make_scope()], zone=datetimes.get_reader_zone())
    listed = ListedScope(**dict(make_scope()), name="Ledger for the branches", status="ready", currency="USD")
    draw_recent_scopes([listed], zone=datetimes.get_reader_zone())
