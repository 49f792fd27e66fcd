from components.elements.form_fields import AMOUNT_FAULT, Field, draw_fault, draw_field

FIELDS = (
    Field("amount", "Amount", kind="amount", help="Before tax, for the whole term."),
    Field("pieces", "Pieces", kind="number", least=1, placeholder="users"),
    Field("day", "Day", kind="day"),
    Field("state", "State", kind="choice", words={"open": "Open", "agreed": "Agreed"}),
    Field("outcome", "Outcome", kind="radio", choices=("Won", "Lost")),
    Field("events", "Events", kind="several", choices=("scope.extracted",)),
    Field("note", "Note", kind="area"),
    Field("secret", "Secret", kind="secret"),
    Field("renews", "Renews", kind="flag", is_locked=True),
)


def example() -> None:
    for one in FIELDS:
        draw_field(one, f"example-fields/{one.name}")
    draw_fault(AMOUNT_FAULT)
