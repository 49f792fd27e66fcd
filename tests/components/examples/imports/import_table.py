from components.imports.import_preview import draw_import_table
from tests.components.imports.fixtures import make_import


def example() -> None:
    imports = [
        make_import(status, 700 + 2 * at) for at, status in enumerate(("ready", "completed", "failed"))
    ]
    draw_import_table(imports)
