"""Validates payloads against the JSON Schemas that come with them (2020-12), within limits.

A schema is a program of the caller: a pattern can backtrack for hours while it holds the interpreter, and
references can double the work with each level. No check inside this process could end that, so child
processes validate (`schema_validator_process.py`) and are killed when their time is over."""

import atexit
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.service.http.problems import ApiProblem, InvalidField, bad_request

MAX_CPU_SECONDS = 1.0
"""The work that one schema may cost, in CPU time of the child: a busy machine refuses nothing that an idle
one accepts."""
MAX_WAIT_SECONDS = 30.0 if hasattr(signal, "setitimer") else 3.0
"""The longest wait in any case: for a machine that stands still, and for systems without such a clock."""
MAX_START_SECONDS = 30.0
"""The longest that a child may take to start on a busy machine."""
MAX_VALIDATORS = 4
"""The most child processes at once; they start as they are needed."""
MAX_IDLE_VALIDATORS = 1
"""How many stay for the next update."""

_SCRIPT = Path(__file__).with_name("schema_validator_process.py")


class ValidationTimeout(Exception):
    """The validator was killed."""


class Validator:
    """One child process."""

    def __init__(self) -> None:
        # -P keeps this folder off the child's path: its modules have names of the standard library.
        environment = {
            name: os.environ[name] for name in ("PATH", "PYTHONPATH", "SYSTEMROOT") if name in os.environ
        }
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_SCRIPT), str(MAX_CPU_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**environment, "PYTHONUTF8": "1"},
        )
        try:
            self._exchange(b"", MAX_START_SECONDS)
        except ValidationTimeout:
            raise RuntimeError("the schema validator did not start") from None

    def validate(self, question: bytes) -> Mapping[str, list[dict[str, str]]]:
        """Return the errors in schema or payload. Raises ValidationTimeout, after which this validator is
        closed."""
        verdict: Mapping[str, list[dict[str, str]]] = json.loads(
            self._exchange(question + b"\n", MAX_WAIT_SECONDS)
        )
        return verdict

    def close(self) -> None:
        self._process.kill()
        with self._process:
            pass

    def _exchange(self, question: bytes, seconds: float) -> bytes:
        reading, writing = self._process.stdout, self._process.stdin
        assert reading is not None
        assert writing is not None
        alarm = threading.Timer(seconds, self._process.kill)
        alarm.start()
        try:
            writing.write(question)
            writing.flush()
            answer = reading.readline()
        except BrokenPipeError:
            answer = b""
        finally:
            alarm.cancel()
        if not answer:
            self.close()
            raise ValidationTimeout
        return answer


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
