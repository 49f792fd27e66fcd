"""Validates payloads against the JSON Schemas that come with them (2020-12), within limits.

A schema is a program of the caller: a pattern can backtrack for hours while it holds the interpreter, and
references can double the work with each level. No check inside this process could end that, so child
processes validate (`schema_validator_process.py`) and are killed when their time is over."""

import atexit
import json
import queue
import threading
from collections.abc import Mapping
from typing import Any

from app.service.documents.sandbox.child_process import (
    end_process,
    kill_in_time,
    receive_frame,
    send_frames,
    start_process,
)
from app.service.http.problems import ApiProblem, InvalidField, bad_request

MAX_CPU_SECONDS = 1.0
"""The work that one schema may cost, in CPU time of the child: a busy machine refuses nothing that an idle
one accepts."""
MAX_WAIT_SECONDS = 30.0
"""The longest wait in any case: for a machine that stands still."""
MAX_START_SECONDS = 30.0
"""The longest that a child may take to start on a busy machine."""
MAX_VALIDATORS = 4
"""The most child processes at once; they start as they are needed."""
MAX_IDLE_VALIDATORS = 1
"""How many stay for the next update."""
MAX_MEMORY = 512 * 1024 * 1024


class ValidationTimeout(Exception):
    """The validator was killed."""


class Validator:
    """One child process."""

    def __init__(self) -> None:
        self._process = start_process(
            "app.service.negotiation.updates.schema_validator_process", MAX_MEMORY, MAX_CPU_SECONDS
        )
        try:
            self._receive_answer(MAX_START_SECONDS)
        except ValidationTimeout:
            raise RuntimeError("the schema validator did not start") from None

    def validate(self, question: bytes) -> Mapping[str, list[dict[str, str]]]:
        """Return the errors in schema or payload. Raises ValidationTimeout, after which this validator is
        closed."""
        verdict: Mapping[str, list[dict[str, str]]] = json.loads(
            self._receive_answer(MAX_WAIT_SECONDS, question)
        )
        return verdict

    def close(self) -> None:
        end_process(self._process)

    def _receive_answer(self, seconds: float, *questions: bytes) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            with kill_in_time(self._process, seconds):
                send_frames(stdin, *questions)
                return receive_frame(stdout)
        except (BrokenPipeError, EOFError):
            self.close()
            raise ValidationTimeout from None


class ValidatorPool:
    """The validators of this process: started when needed, one of them kept for the next update."""

    def __init__(self) -> None:
        self._idle: queue.SimpleQueue[Validator] = queue.SimpleQueue()
        self._slots = threading.BoundedSemaphore(MAX_VALIDATORS)

    def validate(self, question: bytes) -> Mapping[str, list[dict[str, str]]]:
        with self._slots:
            validator = self._take_idle() or Validator()
            try:
                verdict = validator.validate(question)
            except ValidationTimeout:
                raise
            except BaseException:
                validator.close()
                raise
            if self._idle.qsize() < MAX_IDLE_VALIDATORS:
                self._idle.put(validator)
            else:
                validator.close()
            return verdict

    def _take_idle(self) -> Validator | None:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return None

    def close(self) -> None:
        while (validator := self._take_idle()) is not None:
            validator.close()


_validators = ValidatorPool()
atexit.register(_validators.close)


def check_payload(schema: dict[str, Any], payload: dict[str, Any]) -> None:
    """Raises ApiProblem 400 when `schema` is not a JSON Schema, refers to another document, or takes too
    long; 422 when `payload` does not fit it. Pointers are into the body of the update."""
    try:
        verdict = _validators.validate(json.dumps({"schema": schema, "payload": payload}).encode())
    except ValidationTimeout:
        raise bad_request("/schema", f"takes longer than {MAX_CPU_SECONDS:g} s to check") from None
    if verdict.get("schema"):
        raise ApiProblem(
            400,
            "The schema cannot be used for validation.",
            errors=_prefix_pointers("/schema", verdict["schema"]),
        )
    if verdict.get("payload"):
        raise ApiProblem(
            422,
            "The payload does not match its schema.",
            errors=_prefix_pointers("/payload", verdict["payload"]),
        )


def _prefix_pointers(start: str, found: list[dict[str, str]]) -> list[InvalidField]:
    return [InvalidField(start + wrong["pointer"], wrong["detail"]) for wrong in found]
