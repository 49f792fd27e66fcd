from components.people.audit_filters import draw_audit_filters


def example() -> None:
    draw_audit_filters({"1": "Bea Buyer", "2": "Nightly export"})
