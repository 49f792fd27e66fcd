"""The unit in which a document states its notice period: three months are not 90 days."""

import re
from collections.abc import Iterable

from app.service.documents.extraction import NoticeUnit
from app.service.documents.layout.sentences import Sentence
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.values.durations import SPAN, count_days
from app.service.values.folding import fold

_NOTICE = re.compile(WORDS.clauses.notice)


def find_notice_unit(sentences: Iterable[Sentence], notice_days: int | None) -> NoticeUnit | None:
    """Return the unit of the notice period that was read as so many days; a week is seven days. None where no
    sentence about notice states it, or sentences state it in both units."""
    if notice_days is None:
        return None
    units: set[NoticeUnit] = set()
    for sentence in sentences:
        text = fold(sentence.text)
        if _NOTICE.search(text):
            for found in SPAN.finditer(text):
                if count_days(found) == notice_days:
                    units.add("month" if found["months"] or found["years"] else "day")
    return units.pop() if len(units) == 1 else None
