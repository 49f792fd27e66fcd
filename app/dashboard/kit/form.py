"""Forms whose fields are declared once: kinds, bounds, choices and messages come from the contract's model.

    form = Form(deployment, "new-key", NewKey, (Field("name", "What the key is for"), Field("role", "Role")))
    form.draw()
    form.draw_button("Make the key", send=..., what="Making the key")

A field of the form `new-key` has the session key `new-key/name`. What was typed is a draft (`drafts`) until
it is sent or discarded; what is wrong with a field is said below it.
"""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from typing import Any, Generic, Literal, TypeVar

import streamlit as st
from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from app.client import ScopedClient
from app.contract.validation_messages import describe_fault, describe_faults
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.drafts import draft_store
from app.dashboard.session_values import SessionValues, form_faults, is_form_saved, write_failure
from components.elements.form_fields import Field, Fields, draw_fault, draw_field, read_fields
from components.elements.line_table import join_row_faults
from components.formatting import escape_markdown, format_local_time, to_symbol

Body = TypeVar("Body")
Record = TypeVar("Record")
Model = TypeVar("Model", bound=BaseModel)

NOTHING_CHANGED = "Nothing was changed."


@dataclass(frozen=True)
class CheckedForm(Generic[Body]):
    """What a form amounts to: `body` is what may be sent, None while something is wrong; `faults` say what,
    by field, "" for the form as a whole."""

    body: Body | None
    faults: Mapping[str, str]


@dataclass(frozen=True)
class Form(Generic[Model]):
    """A form whose values make a `model`.

    `shape` makes the content of the model of the values by the fields' names, where that is not those values
    themselves; `check_fields` says what is wrong between fields; `places` name the fields of the form at
    which faults of other fields of the model are shown.
    """

    deployment: Deployment
    key: str
    model: type[Model]
    fields: Sequence[Field]
    shape: Callable[[Fields], Mapping[str, Any]] = dict
    check_fields: Callable[[Fields], Mapping[str, str]] = lambda _: {}
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    find_field: Callable[[tuple[str | int, ...]], str] | None = None
    """Finds the field for a place in the model, such as `("lines", 2, "unit")`, where its name does not say
    which; "" where there is none."""
    tables: Callable[[], Mapping[str, Any]] = dict
    """Gives what the tables beside the fields add to the content of the model."""
    record: Fields = field(default_factory=dict[str, object])
    """What the fields begin with, beside their defaults: what is on record now."""
    changes: str = ""
    """What is changed, such as `contract`. The form then sends what differs from what it was filled with, and
    nothing that somebody else has changed since."""

    @property
    def names(self) -> list[str]:
        """The names of the fields."""
        return [one.name for one in self.fields]

    @property
    def faults(self) -> Mapping[str, str]:
        """What was wrong when the form was sent last, by field: what it said itself, and what the service
        refused at a place that has a field."""
        faults = dict(form_faults(self.key).get())
        failure = write_failure(self.key).get()
        for place in failure.places if failure else ():
            parts = place.pointer.strip("/").split("/")
            name, _ = self._locate(tuple(int(one) if one.isdigit() else one for one in parts))
            if name:
                faults.setdefault(name, place.detail)
        return faults

    def draw(self, *, columns: int = 1, disabled: bool = False) -> None:
        """Draw what is wrong with the form as a whole, and all fields."""
        place = st.container(width=640) if columns == 1 else st.grid(columns, min_column_width=320)
        with self.drawing(), place:
            self.draw_fields(disabled=disabled)

    @contextmanager
    def drawing(self) -> Generator[None]:
        """Fill the fields before the block draws them, below what is wrong with the form as a whole, and keep
        what was typed after it."""
        self.begin()
        self.draw_fault()
        yield
        self.keep_draft()

    def begin(self) -> None:
        """Fill the fields: with the draft, else with what they begin with, as those do that the form did not
        have when it was drawn last. Comes before they are drawn."""
        if _is_sent(self.key).pop():
            self._fill(self._on_record)
        elif not any(f"{self.key}/{name}" in st.session_state for name in self.names):
            draft = draft_store().find(self.deployment, self.key)
            typed = (
                {name: value for name, value in draft.typed.items() if name in self.names} if draft else {}
            )
            self._fill_new({**self._on_record, **typed})
            _drafted_at(self.key).set(draft.at if draft is not None and typed else None)
        elif added := [name for name in self.names if name not in self.filled]:
            self._fill_new({name: self._on_record[name] for name in added})
        elif self._on_record != self.filled:
            if not self._find_typed():
                self._fill(self._on_record)
            elif self.changes:
                st.caption(
                    f"Somebody has changed this {self.changes} meanwhile. Saving changes only what you change"
                    " here."
                )

    def draw_fault(self) -> None:
        """Draw what is wrong with the form as a whole."""
        if fault := self.faults.get(""):
            st.error(escape_markdown(fault), icon=":material/error:")

    def draw_fields(self, names: Collection[str] = (), *, disabled: bool = False) -> None:
        """Draw these fields, or all, each with what is wrong with it."""
        faults = self.faults
        for one in self.fields:
            if not names or one.name in names:
                with st.container(gap="xsmall"):
                    draw_field(self._complete(one), f"{self.key}/{one.name}", disabled=disabled)
                    draw_fault(faults.get(one.name))

    def keep_draft(self) -> None:
        """Keep what was typed, and say since when there is a draft of an earlier visit, with the button that
        discards it. Comes after the fields were drawn."""
        secrets = {one.name for one in self.fields if one.kind == "secret"}
        typed = {name: value for name, value in self._find_typed().items() if name not in secrets}
        kept = _kept_draft(self.key)
        if typed != kept.get():
            kept.set(typed)
            if typed:
                draft_store().keep(self.deployment, self.key, typed)
            else:
                draft_store().discard(self.deployment, self.key)
                _drafted_at(self.key).pop()
        at = _drafted_at(self.key).get()
        if at is not None:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                moment = format_local_time(datetime.fromtimestamp(at, UTC))
                st.caption(f"Your draft of {moment}", width="content")
                st.button("Discard it", key=f"{self.key}-discard", type="tertiary", on_click=self.forget)

    def forget(self) -> None:
        """Empty the form and drop its draft: what it held is on record, or nobody wants it."""
        draft_store().discard(self.deployment, self.key)
        for value in (_kept_draft(self.key), _drafted_at(self.key), form_faults(self.key)):
            value.pop()
        _is_sent(self.key).set(True)

    def read(self) -> dict[str, Any]:
        """Return the values of the fields now: texts without surrounding spaces, None where one is empty."""
        return _trim(read_fields(self.key, self.names))

    def check(self) -> CheckedForm[Model]:
        """Return what may be sent, or what is wrong."""
        return self.check_values(self.read())

    def check_values(self, values: Fields) -> CheckedForm[Model]:
        """Return what may be sent of `values`, or what is wrong with them."""
        values = _trim({name: values.get(name) for name in self.names})
        faults = {one.name: one.needed for one in self.fields if one.needed and not values.get(one.name)}
        faults |= {name: fault for name, fault in self.check_fields(values).items() if name not in faults}
        if faults:
            return CheckedForm(None, faults)
        content = dict(self.shape(values))
        if self.changes:
            before = self.shape(_trim(self.filled))
            content = {
                name: value for name, value in content.items() if name not in before or value != before[name]
            }
        else:
            content = {name: value for name, value in content.items() if value is not None}
        content |= self.tables()
        if not content:
            return CheckedForm(None, {"": NOTHING_CHANGED})
        content = {to_camel(name): value for name, value in content.items()}
        try:
            return CheckedForm(self.model.model_validate(content), {})
        except ValidationError as refusal:
            return CheckedForm(None, self._place(refusal))

    def _place(self, refusal: ValidationError) -> Mapping[str, str]:
        """Return what the contract refuses by field, all of it at the form where one has no field."""
        faults: dict[str, str] = {}
        in_rows: list[tuple[int, str]] = []
        for error in refusal.errors():
            rows = [part for part in error["loc"] if isinstance(part, int)]
            name, label = self._locate(error["loc"])
            if not name:
                return {"": describe_faults(refusal)}
            if rows and name == "lines":
                in_rows.append((rows[0], f"{error['loc'][-1]} {describe_fault(error)}."))
                faults[name] = join_row_faults(in_rows)
            else:
                faults[name] = (
                    f"“{label}” {describe_fault(error)}." if label else f"It {describe_fault(error)}."
                )
        return faults

    def _locate(self, place: tuple[str | int, ...]) -> tuple[str, str]:
        """Return the name and the label of the field for a place in the model; both "" where there is none,
        and the label where it is the place of something else."""
        labels = {one.name: one.label.removesuffix(" *") for one in self.fields}
        if self.find_field is not None:
            name = self.find_field(place)
            return name, labels.get(name, "")
        by_wire = {to_camel(name): name for name in labels}
        parts = [to_camel(part) for part in place if isinstance(part, str)]
        for part in reversed(parts):
            if part in self.places:
                return self.places[part], ""
        name = next((by_wire[part] for part in reversed(parts) if part in by_wire), "")
        return name, labels.get(name, "")

    def draw_button(
        self,
        label: str,
        *,
        send: Callable[[ScopedClient, Model, str], Any],
        what: str,
        check: Callable[[], CheckedForm[Model]] | None = None,
        on_success: Callable[[Any], object] | None = None,
        icon: str | None = None,
        type: Literal["primary", "secondary"] = "primary",
        operation: str | None = None,
    ) -> None:
        """Draw the button that sends the form; once it is sent, the form is empty. It sends what `check`, or
        else its own, makes of the fields as they are when it is called. At a click its faults are kept for
        the form to show, and nothing is sent while there is one. `send` gets the client, the body and the
        idempotency key; the rest is as for `write_button`."""
        check = check or self.check

        def is_complete() -> bool:
            checked = check()
            form_faults(self.key).set(checked.faults)
            return checked.body is not None

        def write(client: ScopedClient, idempotency_key: str) -> Any:
            body = check().body
            if body is None:
                raise RuntimeError("the form changed between the click and the write")
            return send(client, body, idempotency_key)

        def finish(result: Any) -> None:
            self.forget()
            is_form_saved(self.key).set(True)
            if on_success is not None:
                on_success(result)

        write_button(
            self.deployment,
            label,
            name=self.key,
            what=what,
            write=write,
            on_success=finish,
            icon=icon,
            type=type,
            is_ready=is_complete,
            operation=operation,
        )

    @property
    def filled(self) -> Fields:
        """What the fields were filled with."""
        return _filled(self.key).get() or self._on_record

    @property
    def _on_record(self) -> dict[str, object]:
        empty: Mapping[str | None, object] = {
            "flag": False,
            "several": [],
            **dict.fromkeys(("text", "address", "email", "secret", "area"), ""),
        }
        values: dict[str, object] = {}
        for one in self.fields:
            kind, value = self._complete(one).kind, self.record.get(one.name, one.default)
            if isinstance(value, Decimal):
                value = int(value) if kind == "number" else float(value)
            values[one.name] = empty.get(kind) if value is None else value
        return values

    def draw_popover(
        self, label: str, *, icon: str, type: Literal["primary", "secondary", "tertiary"] = "tertiary"
    ) -> PopoverContainer:
        """Draw the button behind which the form is drawn, where `open` says so. It closes once what the form
        holds is on record."""
        key = f"{self.key}-popover"
        if is_form_saved(self.key).pop():
            st.session_state[key] = False
        return st.popover(label, key=key, icon=to_symbol(icon), type=type, width="content", on_change="rerun")

    def _fill_new(self, values: Fields) -> None:
        self._fill({name: value for name, value in values.items() if value is not None})

    def _fill(self, values: Fields) -> None:
        _filled(self.key).set(self._on_record)
        for name, value in values.items():
            st.session_state[f"{self.key}/{name}"] = value

    def _find_typed(self) -> dict[str, object]:
        """Return the values that differ from what the fields were filled with."""
        typed = read_fields(self.key, self.names)
        return {
            name: value for name, value in typed.items() if (value or None) != (self.filled.get(name) or None)
        }

    def _complete(self, one: Field) -> Field:
        """Return the field with what the model says where the field says nothing."""
        traits = _read_traits(self.model).get(to_camel(one.name), {})
        missing = {name: value for name, value in traits.items() if getattr(one, name) is None}
        if one.words:
            missing.pop("choices", None)
        return replace(one, **missing)


@cache
def _read_traits(model: type[BaseModel]) -> Mapping[str, Mapping[str, Any]]:
    """Return what the model says of its fields, by their names on the wire and the names in `Field`."""
    schema = model.model_json_schema()
    return {name: _read_trait(each) for name, each in schema.get("properties", {}).items()}


def _read_trait(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    stated = next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), schema)
    if "enum" in stated:
        return {"kind": "choice", "choices": stated["enum"]}
    most = stated.get("maxLength")
    match stated.get("type"):
        case "boolean":
            return {"kind": "flag"}
        case "integer":
            return {"kind": "number", "least": stated.get("minimum"), "most": stated.get("maximum")}
        case "number":
            return {"kind": "amount"}
        case "string" if stated.get("format") == "date":
            return {"kind": "day"}
        case "string" if most and most > 1_000 and stated.get("format") != "uri":
            return {"kind": "area", "most": most}
        case _:
            return {"kind": "text", "most": most}


def _trim(values: Fields) -> dict[str, Any]:
    return {
        name: value.strip() or None if isinstance(value, str) else value for name, value in values.items()
    }


_filled = SessionValues[Fields]("filled", {})
"""What the fields were filled with; nothing before they are drawn."""

_is_sent = SessionValues("sent", False)
"""Whether the form is to be empty when it is drawn again."""

_kept_draft = SessionValues[Fields]("draft", {})
"""What the session has kept of the form."""

_drafted_at = SessionValues[float | None]("drafted-at", None)
"""When the draft was typed that an earlier visit left."""
