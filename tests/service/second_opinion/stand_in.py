"""A stand-in for a service that gives second opinions, which answers from recorded files, and the document
that they were recorded with."""

import asyncio
import textwrap
from pathlib import Path

from tests.service.documents import pdf_builder
from tests.service.documents.second_opinion.asked_documents import LINES_IN_TEXT
from tests.service.webhooks.receivers import Answering, status

ANSWERS = Path(__file__).with_name("answers")


def draw_quote(text: str = LINES_IN_TEXT) -> bytes:
    """A PDF of one page with the words of a text where they stand in it."""
    texts: list[pdf_builder.Text] = []
    for order, line in enumerate(textwrap.dedent(text).strip("\n").split("\n")):
        column = 0
        for part in line.split("  "):
            if part.strip():
                indent = len(part) - len(part.lstrip())
                texts.append(pdf_builder.Text(50 + (column + indent) * 6, 60 + 14 * order, part.strip()))
            column += len(part) + 2
    return pdf_builder.pdf(texts)


def answer_from(name: str) -> Answering:
    """Answers with a recorded file."""
    recorded = (ANSWERS / f"{name}.json").read_text(encoding="utf-8")
    return status(200, "content-type: application/json\r\n", recorded)


async def wait_a_second(*_: object) -> None:
    """Takes the request and answers too late."""
    await asyncio.sleep(1)
