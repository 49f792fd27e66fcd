"""Checks payloads against the JSON Schemas that come with them (2020-12), within bounds that hold.

A schema is a program of the caller's: a pattern can backtrack for hours while it holds the interpreter, and
references can double the work with each level. No check inside this process could end that, so the judging is
done by child processes (`schema_validator_process.py`) that are killed when their time is over.
"""

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

from app.service.http.problems import ApiProblem, Wrong, invalid
from app.service.negotiation.updates.update_payloads import infinite, too_deep

CPU_SECONDS = 1.0
"""The work that one schema may cost. Counted in the child's own time, so that a busy machine refuses nothing
that a quiet one takes."""
SECONDS = 30.0 if hasattr(signal, "setitimer") else 3.0
"""The longest wait in any case: for a machine that stands still, and for systems without such a clock."""
START_SECONDS = 30.0
"""The longest that a child may take to start on a busy machine."""
JUDGES = 4
"""The most child processes at once; they start as they are needed."""
IDLE_JUDGES = 1
"""How many stay for the next update."""
DEEPEST = 64
LARGEST_SCHEMA = 256 * 1024

_SCRIPT = Path(__file__).with_name("schema_validator_process.py")


class TookTooLong(Exception):
    """The judge was killed."""


class Judge:
    """One child process."""

    def __init__(self) -> None:
        # -P keeps this folder off the child's path: its modules have names of the standard library.
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "SYSTEMROOT") if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_SCRIPT), str(CPU_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**kept, "PYTHONUTF8": "1"},
        )
        try:
            self._ask(b"", START_SECONDS)
        except TookTooLong:
            raise RuntimeError("the judge of schemas did not start") from None

    def verdict(self, question: bytes) -> Mapping[str, list[dict[str, str]]]:
        """Raises TookTooLong, after which this judge is of no more use."""
        verdict: Mapping[str, list[dict[str, str]]] = json.loads(self._ask(question + b"\n", SECONDS))
        return verdict

    def close(self) -> None:
        self._process.kill()
        with self._process:
            pass

    def _ask(self, question: bytes, seconds: float) -> bytes:
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
            raise TookTooLong
        return answer


class Judges:
    """The children of this process: started when needed, one kept for the next question."""

    def __init__(self) -> None:
        self._idle: queue.SimpleQueue[Judge] = queue.SimpleQueue()
        self._places = threading.BoundedSemaphore(JUDGES)

    def verdict(self, question: bytes) -> Mapping[str, list[dict[str, str]]]:
        with self._places:
            judge = self._take() or Judge()
            try:
                verdict = judge.verdict(question)
            except TookTooLong:
                raise
            except BaseException:
                judge.close()
                raise
            if self._idle.qsize() < IDLE_JUDGES:
                self._idle.put(judge)
            else:
                judge.close()
            return verdict

    def _take(self) -> Judge | None:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return None

    def close(self) -> None:
        while (judge := self._take()) is not None:
            judge.close()


_judges = Judges()
atexit.register(_judges.close)


def check_payload(schema: dict[str, Any], payload: dict[str, Any]) -> None:
    """Raises ApiProblem 400 when `schema` is no JSON Schema, refers to something outside, or takes too long;
    422 when `payload` breaks it. Pointers are into the update's body."""
    for name, value in (("schema", schema), ("payload", payload)):
        if too_deep(value, DEEPEST):
            raise invalid(f"/{name}", f"is nested deeper than {DEEPEST} levels")
        if infinite(value):
            raise invalid(f"/{name}", "holds a number that is too large")
    if len(json.dumps(schema)) > LARGEST_SCHEMA:
        raise invalid("/schema", f"is larger than {LARGEST_SCHEMA:,} bytes")
    try:
        verdict = _judges.verdict(json.dumps({"schema": schema, "payload": payload}).encode())
    except TookTooLong:
        raise invalid("/schema", f"takes longer than {CPU_SECONDS:g} s to check") from None
    if verdict.get("schema"):
        raise ApiProblem(
            400, "The schema is not one to check by.", errors=_places("/schema", verdict["schema"])
        )
    if verdict.get("payload"):
        raise ApiProblem(
            422, "The payload breaks its schema.", errors=_places("/payload", verdict["payload"])
        )


def _places(start: str, found: list[dict[str, str]]) -> list[Wrong]:
    return [Wrong(start + wrong["pointer"], wrong["detail"]) for wrong in found]
