from app.contract.imports import ImportSheet
from components.imports.file_questions import draw_sheet_choice


def example() -> None:
    sheets = [
        ImportSheet(name="Orders", rows=120, columns=["Order date", "Vendor"]),
        ImportSheet(name="2025", hidden=True, rows=80, columns=["Order date", "Vendor"]),
        ImportSheet(name="Cover", rows=3),
    ]
    draw_sheet_choice(sheets, "Orders", key="example-sheet")
