from components.comments.comment_form import draw_comment_form


def example() -> None:
    draw_comment_form(
        key="example-comment", mail_available=True, faults={"text": "The comment must not be blank."}
    )
