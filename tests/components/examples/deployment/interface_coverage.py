from components.deployment import draw_interface_coverage


def example() -> None:
    draw_interface_coverage({"GET /v1/scope/{}": True, "POST /v1/scope": False}, ["GET /v1/scope"])
