from components.documents.document_review import draw_reading_warnings


def example() -> None:
    draw_reading_warnings(
        [
            "A discount of 10 % (25) is taken off the lines, which add up to 250: 225 is left.",
            "The document states no term; 12 months are assumed.",
        ]
    )
