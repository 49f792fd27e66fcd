from app.contract.scope_list import ListedScope
from components.scopes import draw_recent_scopes
from tests.components.scopes.fixtures import make_scope


def example() -> None:
    draw_recent_scopes([make_scope()])
    listed = ListedScope(**dict(make_scope()), name="Ledger for the branches", status="ready", currency="USD")
    draw_recent_scopes([listed])
