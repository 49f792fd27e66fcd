from components.audit_table import draw_audit_table
from tests.components.people.fixtures import make_entry, make_outcome


def example() -> None:
    entries = [make_outcome(7), make_entry(1), make_entry(4, gone=True)]
    draw_audit_table(entries, page="people")
