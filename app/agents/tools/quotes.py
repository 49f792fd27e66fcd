"""Whether a supplier's quote asks a low, usual or high price."""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import anyio
from pydantic import Field, model_validator

from app.agents.failures import describe_cause
from app.agents.lookup import find_id
from app.agents.tool import (
    SUPPLIER_TEXT,
    AgentCaller,
    Arguments,
    Link,
    QuotedText,
    Refusal,
    Tool,
    ToolAnswer,
    cut,
    fit,
    looks,
    quote,
)
from app.agents.tools.prices import Evidence, Verdict, to_evidence, to_verdict
from app.client import NotFound, Unprocessable
from app.contract.files import DOCUMENT_FORMAT_NAMES, DOCUMENT_SUFFIXES
from app.contract.model import Wire
from app.contract.money import format_money
from app.contract.price_level import format_price_level
from app.contract.pricing import PriceExplanation
from app.contract.scope import DocumentReading, ReadLine, ReadValue, Scope
from app.contract.values import Number

MAX_FILE_BYTES = 3_000_000
"""A larger file does not fit, as base64, into the 4 MiB that a call may have."""

ScopeName = Annotated[
    str,
    Field(min_length=2, max_length=250, description="A scope's id or name: a quote that was read before."),
]


class KnownQuote(Arguments):
    scope: ScopeName


class AnyQuote(Arguments):
    text: Annotated[str | None, Field(min_length=5, max_length=500_000, description="The quote's text.")] = (
        None
    )
    file_base64: Annotated[str | None, Field(max_length=4_100_000, description="The file, as base64.")] = None
    file_name: Annotated[
        str | None, Field(max_length=200, description="The file's name with its ending.")
    ] = None
    file_id: Annotated[str | None, Field(max_length=100, description="An uploaded file's id.")] = None
    scope: ScopeName | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "AnyQuote":
        if len([one for one in [getattr(self, name) for name in self._names()] if one]) != 1:
            raise ValueError(f"give exactly one of {', '.join(self._names())}")
        if self.file_base64 and not self.file_name:
            raise ValueError("fileName is needed with file_base64: its ending says what the file is")
        return self

    def _names(self) -> Sequence[str]:
        return ("text", "file_base64", "file_id", "scope")


class AnyQuoteOnDisk(AnyQuote):
    path: Annotated[
        str | None, Field(max_length=500, description="A file in the folder that this connection may read.")
    ] = None

    def _names(self) -> Sequence[str]:
        return (*super()._names(), "path")


class QuoteLine(Wire):
    """A line of the quote, in the supplier's words, and what it was matched to."""

    words: QuotedText
    amount: Number | None = None
    product: str | None = None
    role: str
    question: str | None = None


class CheckedQuote(Wire):
    """A quote as it was read, with the verdict on its price."""

    summary: str
    state: str = Field(description="checked, not_priced, reading or failed")
    scope_id: str
    note: str = SUPPLIER_TEXT
    supplier: QuotedText | None = None
    currency: str | None = None
    verdict: Verdict | None = None
    covered_percent: Number | None = None
    evidence: list[Evidence] | None = None
    lines: list[QuoteLine] | None = None
    lines_not_shown: int | None = None
    warnings: list[QuotedText] | None = None


async def _check_known(caller: AgentCaller, given: KnownQuote) -> ToolAnswer:
    return await _check_scope(caller, await find_id(caller, "scope", given.scope))


async def _check_any(caller: AgentCaller, given: AnyQuote) -> ToolAnswer:
    if given.scope is not None:
        return await _check_scope(caller, await find_id(caller, "scope", given.scope))
    return await _check_scope(caller, await _start_reading(caller, given))


async def _start_reading(caller: AgentCaller, given: AnyQuote) -> str:
    """Begin to read a document; the id of its scope. The same document makes one scope, however often."""
    scopes = caller.client.scopes
    if given.file_id is not None:
        address = caller.client.files.address(given.file_id)
        made = await scopes.from_document(address, idempotency_key=_key(given.file_id.encode()))
        return made.scope_id
    content, name = await _read_content(caller, given)
    made = await scopes.from_upload(content, filename=name, idempotency_key=_key(name.encode(), content))
    return made.scope_id


async def _read_content(caller: AgentCaller, given: AnyQuote) -> tuple[bytes, str]:
    if given.text is not None:
        return given.text.encode(), "quote.txt"
    if given.file_base64 is not None:
        try:
            content = base64.b64decode(given.file_base64, validate=True)
        except binascii.Error:
            raise Refusal("file_base64 is no base64. Encode the file's bytes and call again.") from None
        return _within_limit(content), Path(given.file_name or "quote").name
    path = _find_file(caller, getattr(given, "path", None) or "")
    return _within_limit(await anyio.Path(path).read_bytes()), path.name


def _find_file(caller: AgentCaller, said: str) -> Path:
    """The file that is meant, which is in the caller's folder. Refusal for any other."""
    folder = (caller.folder or Path()).resolve()
    path = (folder / said).resolve()
    if caller.folder is None or not path.is_relative_to(folder) or not path.is_file():
        raise Refusal(
            "There is no such file in the folder that this connection may read. Ask the person for it."
        )
    if path.suffix.casefold().removeprefix(".") not in DOCUMENT_SUFFIXES:
        raise Refusal(
            f"A quote is a {DOCUMENT_FORMAT_NAMES} file, whose name ends in .{', .'.join(DOCUMENT_SUFFIXES)}."
        )
    return path


def _within_limit(content: bytes) -> bytes:
    if len(content) > MAX_FILE_BYTES:
        raise Refusal(
            f"The file is larger than {MAX_FILE_BYTES:,} bytes. Let a person upload it on the Scopes page."
        )
    return content


def _key(*parts: bytes) -> str:
    return "agent-quote-" + hashlib.sha256(b"\0".join(parts)).hexdigest()


async def _check_scope(caller: AgentCaller, scope_id: str) -> ToolAnswer:
    scope = await _wait_until_read(caller, scope_id)
    processing = scope.document_processing
    links = [Link("scope", scope_id, "The scope"), Link("estimate", scope_id, "Its estimate")]
    if processing is not None and processing.status in {"pending", "processing"}:
        words = f"The document is still being read. Call check_quote with scope {scope_id} in half a minute."
        return ToolAnswer(CheckedQuote(summary=words, state="reading", scope_id=scope_id), links[:1])
    if processing is not None and processing.status == "failed":
        words = f"The document could not be read: {cut(processing.error or 'no reason is known', 300)}"
        return ToolAnswer(CheckedQuote(summary=words, state="failed", scope_id=scope_id), links[:1])
    reading = None
    with suppress(NotFound):  # of a scope that was made by hand
        reading = await caller.client.scopes.document(scope_id)
    try:
        explained = await caller.client.pricing.explanation(scope_id)
    except Unprocessable as error:
        return _answer(scope_id, reading, None, cut(describe_cause(error), 400), links[:1])
    currency = explained.currency if reading is None or reading.assumed_currency is None else None
    return _answer(scope_id, reading, explained, _summarise(explained, currency), links)


async def _wait_until_read(caller: AgentCaller, scope_id: str) -> Scope:
    scope: Scope | None = None
    async for _ in looks(caller.read_seconds):
        scope = await caller.client.scopes.get(scope_id)
        state = scope.document_processing
        if state is None or state.status in {"completed", "failed"}:
            break
    assert scope is not None  # there is one look at least
    return scope


def _summarise(explained: PriceExplanation, stated_currency: str | None) -> str:
    """Say what is quoted and where that stands; without a currency where the quote names none."""
    verdict, currency = explained.verdict, stated_currency or ""
    if verdict is None:
        return (
            "No price is quoted in this scope, so there is no verdict; the linked resource has the estimate."
        )
    about = f"The quoted {format_money(verdict.judged_amount, currency)} before tax"
    if verdict.word == "withheld":
        return f"{about} gets no verdict: the reasons say why."
    against = (
        "" if verdict.median is None else f", against a median of {format_money(verdict.median, currency)}"
    )
    price = format_price_level(verdict.price_level, verdict.word)
    return f"{about}{against}. {price}. A person decides."


def _answer(
    scope_id: str,
    reading: DocumentReading | None,
    explained: PriceExplanation | None,
    summary: str,
    links: Sequence[Link],
) -> ToolAnswer:
    lines = [_to_line(line, reading) for line in reading.lines] if reading else []
    evidence = to_evidence(explained.products) if explained else []
    coverage = explained.coverage if explained else None

    def answer(shown: int) -> ToolAnswer:
        name = reading.supplier.name if reading and reading.supplier else None
        record = CheckedQuote(
            summary=summary,
            state="checked" if explained else "not_priced",
            scope_id=scope_id,
            supplier=quote(name, reading.filename, length=80) if reading and name else None,
            currency=reading.currency if reading else explained.currency if explained else None,
            verdict=to_verdict(explained.verdict, explained.currency) if explained else None,
            covered_percent=None
            if coverage is None or coverage.share is None
            else round(100 * coverage.share, 1),
            evidence=evidence[: min(shown, 4)] or None,
            lines=lines[:shown] or None,
            lines_not_shown=len(lines) - shown if len(lines) > shown else None,
            warnings=_quote_warnings(reading),
        )
        return ToolAnswer(record, links)

    return fit(answer, max(len(lines), 1))


def _quote_warnings(reading: DocumentReading | None) -> list[QuotedText] | None:
    # They may repeat what stands in the document.
    return (
        [quote(one, reading.filename, length=200) for one in reading.warnings[:2]] or None
        if reading
        else None
    )


def _to_line(line: ReadLine, reading: DocumentReading) -> QuoteLine:
    values = {value.name: value for value in line.values}
    described: ReadValue | None = values.get("description") or next(iter(line.values), None)
    amount: Any = line.term_amount
    if not amount and "amount" in values and "tax_included" not in values:
        amount = values["amount"].value
    words = str(described.value) if described else ""
    return QuoteLine(
        words=quote(words, reading.filename, page=_find_page(line, described, reading)),
        amount=None if isinstance(amount, str | bool) else amount,
        product=cut(line.product_name, 60) if line.product_name else None,
        role=line.role,
        question=cut(line.question, 120) if line.question else None,
    )


def _find_page(line: ReadLine, described: ReadValue | None, reading: DocumentReading) -> int | None:
    """The page that a line stands on: that of its words, else of another value of it, else the only one."""
    known = (value.page for value in ([described] if described else []) + line.values if value.page)
    return next(known, 1 if len(reading.pages) == 1 else None)


_READING = frozenset(
    {"GET /v1/search", "GET /v1/scope/{}", "GET /v1/scope/{}/document", "GET /v1/pricing/explanation/{}"}
)
_DESCRIPTION = (
    "Judges a supplier's quote against comparable purchases: accept, consider, negotiate, or withheld, with"
    " the reasons."
)

CHECK_KNOWN_QUOTE = Tool(
    name="check_quote",
    title="Check a quote",
    description=f"{_DESCRIPTION} With this key only scopes that are on record can be checked.",
    arguments=KnownQuote,
    answers=CheckedQuote,
    run=_check_known,
    operations=_READING,
)
CHECK_QUOTE = Tool(
    name="check_quote",
    title="Check a quote",
    description=_DESCRIPTION
    + " A text or file is read into a scope first, which people see in the dashboard.",
    arguments=AnyQuote,
    answers=CheckedQuote,
    run=_check_any,
    operations=_READING | {"POST /v1/scope/from-document"},
    changes=True,
    needs_folder=False,
)
CHECK_QUOTE_ON_DISK = replace(CHECK_QUOTE, arguments=AnyQuoteOnDisk, needs_folder=True)
