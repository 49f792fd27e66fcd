from components.elements.form_fields import draw_document_upload, draw_quotes_upload


def example() -> None:
    draw_document_upload("Quote", key="example-document")
    draw_quotes_upload("Quotes", 20, key="example-documents")
