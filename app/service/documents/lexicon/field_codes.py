"""The codes by which EN 16931 names its fields, `Name (BT-44):`. Visualisations print them behind labels."""

import re
from dataclasses import replace

from app.service.documents.layout.pages import Page, Word

_CODE = re.compile(r"(?:\(B[TG]-\d+(?:-\d+)?,?\)?|B[TG]-\d+(?:-\d+)?\))(?P<colon>:?)")


def without_field_codes(page: Page) -> Page:
    """The page with labels as people write them; a label that ended in a colon still does."""
    words: list[Word] = []
    for word in page.words:
        code = _CODE.fullmatch(word.text)
        if code is None:
            words.append(word)
        elif code["colon"] and words:
            words[-1] = replace(words[-1], text=f"{words[-1].text}:")
    return replace(page, words=tuple(words))
