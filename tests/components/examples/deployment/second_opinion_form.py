from app.contract.second_opinion import SecondOpinionSettings
from components.deployment.second_opinion_form import draw_second_opinion_form


def example() -> None:
    draw_second_opinion_form(
        SecondOpinionSettings(
            enabled=True,
            address="https://models.example.com/v1",
            model="small-model",
            has_key=True,
            calls_per_day=100,
            calls_today=3,
        ),
        key="example-second-opinion",
        faults={"key": "State the key for the new address."},
    )
