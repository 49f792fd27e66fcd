import streamlit as st

from app.contract.comments import Comment, NamedPerson
from components.comments import draw_comments
from tests.components.fixtures import NOON, make_id


def example() -> None:
    comments = [
        Comment(
            id=make_id(1),
            text="Finance has agreed.\n\n1. <b>Sign</b> it\n2. Tell *everybody*",
            author="Bea Buyer",
            author_kind="person",
            created_at=NOON,
            may_delete=True,
        ),
        Comment(
            id=make_id(2),
            text="@Bea Buyer, is this all?",
            named=[NamedPerson(name="Bea Buyer", email="bea@acme.example")],
            author="reports",
            author_kind="key",
            on_behalf_of="ole@acme.example",
            created_at=NOON,
            may_delete=False,
        ),
    ]
    draw_comments(
        comments,
        draw_delete_button=lambda one: st.button("Delete", key=f"example-delete-{one.id}", type="tertiary"),
    )
