from decimal import Decimal
from typing import Any

from app.contract.pricing import (
    CalibrationLevel,
    CalibrationNewness,
    CalibrationPoint,
    CalibrationVerdicts,
    PriceCalibration,
)
from components.estimates.calibration import draw_calibration
from tests.components.fixtures import NOON


def example() -> None:
    figures: dict[str, Any] = {
        "n": 500,
        "pinball": Decimal("0.046"),
        "coverage80": Decimal("0.81"),
        "coverage50": Decimal("0.5"),
        "width": Decimal("1.4"),
        "orders": 180,
        "coverage80_error": Decimal("0.021"),
    }
    calibration = PriceCalibration(
        made_at=NOON,
        learnt_on=20_000,
        learnt_until=NOON.date(),
        refused=0,
        mdape=Decimal("0.04"),
        by_similarity=[CalibrationLevel(level="repeat", **figures)],
        percentiles=[
            CalibrationPoint(told=Decimal(at) / 20, below=Decimal(at) / 20 + Decimal(at % 3 - 1) / 50)
            for at in range(1, 20)
        ],
        by_newness=[
            CalibrationNewness(
                newness="new_supplier",
                n=60,
                orders=22,
                coverage80=Decimal("0.78"),
                coverage80_error=Decimal("0.05"),
                width=Decimal("2.1"),
            )
        ],
        verdicts=CalibrationVerdicts(n=2_000, given=1_331, wrong=22),
        **figures,
    )
    draw_calibration(calibration, key="example-calibration")
