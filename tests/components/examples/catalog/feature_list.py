from app.contract.catalog import Feature
from components.catalog import draw_feature_list


def example() -> None:
    draw_feature_list(
        [
            Feature(id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", name="Audit log", description="Who did what."),
            Feature(id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e1f", name="Backups"),
        ]
    )
