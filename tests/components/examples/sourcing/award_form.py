from components.sourcing.award import draw_award_form


def example() -> None:
    draw_award_form(key="example-award-form", faults={"reason": "Say why it is decided so."}, first_day=None)
