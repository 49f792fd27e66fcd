from components.scopes import draw_scope_versions
from tests.components.scopes.fixtures import make_scope


def example() -> None:
    draw_scope_versions(
        make_scope(), make_scope(users=90, term=36, price=49_000), "USD", key="example-versions"
    )
