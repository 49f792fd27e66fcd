"""Hooks of a run of Schemathesis by its command. The file that PARLEY_EXISTING names says what exists."""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import schemathesis
from schemathesis import Case, HookContext

from tests.service.generated_calls import vary_call

EXISTING: dict[str, Any] = json.loads(Path(os.environ["PARLEY_EXISTING"]).read_text())
RANDOM = Random(1)  # of each run the same


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    vary_call(case, EXISTING, RANDOM)


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Any) -> None:
    """Remembers some of what was made, so that later calls name it."""
    if response.status_code == 201 and RANDOM.random() < 0.3:
        made = response.json()
        EXISTING.update({name: value for name, value in made.items() if name in EXISTING})
