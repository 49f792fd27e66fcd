from components.imports.import_preview import draw_import_outcome, draw_import_progress
from tests.components.fixtures import NOON
from tests.components.imports.fixtures import make_import


def example() -> None:
    for status in ("checking", "importing", "undoing"):
        draw_import_progress(make_import(status), NOON)
    for status in ("completed", "failed", "undone", "cancelled"):
        draw_import_outcome(make_import(status))
