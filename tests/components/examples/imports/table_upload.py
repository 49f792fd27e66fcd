from components.imports.import_preview import draw_table_upload


def example() -> None:
    draw_table_upload("Files to import", key="example-tables")
