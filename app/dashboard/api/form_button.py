"""The button that sends a form: it checks what was typed, keeps the faults for the form, and writes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from app.client import ScopedClient
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import form_faults

Body = TypeVar("Body")


@dataclass(frozen=True)
class CheckedForm(Generic[Body]):
    """What a form amounts to: `body` is what may be sent, None while something is wrong; `faults` say what,
    by field, "" for the form as a whole."""

    body: Body | None
    faults: Mapping[str, str]


def form_button(
    deployment: Deployment,
    label: str,
    *,
    form: str,
    check: Callable[[], CheckedForm[Body]],
    send: Callable[[ScopedClient, Body, str], Any],
    what: str,
    on_success: Callable[[Any], object] | None = None,
    icon: str | None = None,
    type: Literal["primary", "secondary"] = "primary",
    operation: str | None = None,
) -> None:
    """Draw the button that sends the form named `form`.

    `check` reads the form's fields as they are when it is called. At a click its faults are kept under
    `form_faults(form)`, where the page finds them for the form to show, and nothing is sent while there is
    one. `send` gets the client, the body and the idempotency key; the rest is as for `write_button`.
    """

    def is_complete() -> bool:
        checked = check()
        form_faults(form).set(checked.faults)
        return checked.body is not None

    def write(client: ScopedClient, idempotency_key: str) -> Any:
        checked = check()
        if checked.body is None:
            raise RuntimeError("the form changed between the click and the write")
        return send(client, checked.body, idempotency_key)

    write_button(
        deployment,
        label,
        name=form,
        what=what,
        write=write,
        on_success=on_success,
        icon=icon,
        type=type,
        is_ready=is_complete,
        operation=operation,
    )
