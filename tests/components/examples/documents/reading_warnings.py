from components.documents.document_review import draw_reading_warnings


def example() -> None:
    draw_reading_warnings(
        [
            "The price before tax is read as 250, but the lines add up to 240.",
            "The document states no term; 12 months are assumed.",
        ]
    )
