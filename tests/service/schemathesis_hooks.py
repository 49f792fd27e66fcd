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
RANDOM = Random(1)


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    vary_call(case, EXISTING, RANDOM)
