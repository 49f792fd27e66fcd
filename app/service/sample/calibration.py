"""What is learnt from the sample purchases comes with them: a first start estimates as any later one."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.resources import files

from sqlalchemy import Connection

from app.service.pricing.calibration_store import load_latest_calibration, store_calibration
from app.service.pricing.estimator.calibration import Calibration

FILE = files("app.service.sample") / "calibration.json"
"""Made by `python -m tests.benchmarks.sample_fitting`."""


def ensure_sample_calibration(connection: Connection, now: datetime) -> None:
    """Store what is learnt from sample purchases until yesterday, where nothing was learnt from any yet."""
    if load_latest_calibration(connection, sample=True).learnt_on:
        return
    made = json.loads(FILE.read_text())
    learnt = Calibration.from_json(json.dumps(made["learnt"]))
    until = now.date() - timedelta(days=1)
    store_calibration(connection, replace(learnt, learnt_until=until), made["measured"], now, sample=True)
