"""Where events are sent, every delivery of one webhook, and one delivery in full. All in the address:
`?id=` is a webhook, `&event=` one of its deliveries."""

from datetime import UTC, datetime, timedelta

import streamlit as st

from app.client import ActingClient
from app.contract.webhooks import RotatedSecret, Webhook, WebhookEvent
from app.dashboard import extension_queries, identity, navigation, queries
from app.dashboard.actions import write_button
from app.dashboard.faults import shown_as_panel
from components.attempt_timeline import draw_attempt_timeline
from components.counting import counted
from components.curl import without_secrets
from components.delivery_detail import draw_delivery_detail, draw_delivery_state
from components.delivery_meaning import STATUS_LOOKS
from components.delivery_table import draw_delivery_table
from components.empty_state import empty_state
from components.identifier import identifier, short
from components.moments import reader_zone
from components.page_header import page_header
from components.plain import plain
from components.secret_once import draw_secret_once
from components.webhook_form import draw_webhook_form, read_webhook_form
from components.webhook_health import draw_webhook_health
from components.webhook_table import draw_webhook_table

KEY = "webhook"
SECRET = "webhook-secret"
REGISTERED, REGISTER = "Registered", "Register one"
LIVE_SECONDS = 5.0
STATES = {"Any state": None} | {word.capitalize(): state for state, (word, _, _) in STATUS_LOOKS.items()}
ANSWERS = {"Any answer": None, "2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5, "No answer": 0}
SINCE = {
    "Any time": None,
    "Last hour": timedelta(hours=1),
    "Last day": timedelta(days=1),
    "Last week": timedelta(days=7),
}

deployment = identity.current()


def offers(operation: str) -> bool:
    return queries.offers(deployment, operation)


# --- all webhooks ---


def secret_panel() -> None:
    """The secret of what was just registered or rotated, until somebody says that it is stored."""
    held: tuple[str, str] | None = st.session_state.get(SECRET)
    if held is None:
        return

    def stored() -> None:
        st.session_state.pop(SECRET, None)

    draw_secret_once(held[0], held[1], key="secret", on_stored=stored)


def registered_tab() -> None:
    with shown_as_panel("The list of webhooks"):
        webhooks = queries.webhooks(deployment)
        if webhooks:
            chosen = draw_webhook_table(webhooks, key="webhooks")
            if chosen:
                navigation.go("webhooks", id=chosen)
        else:
            empty_state(
                "No webhooks yet",
                "Register an address, and it is told when a document was read, a negotiation changed or a "
                "decision is waited for.",
                icon="webhook",
            )


@st.fragment
def register_tab() -> None:
    state = st.session_state
    draw_webhook_form(key=KEY, faults=state.get(f"{KEY}.wrong"))

    def is_complete() -> bool:
        entered = read_webhook_form(key=KEY)
        state[f"{KEY}.wrong"] = entered.faults
        return entered.body is not None

    def register(client: ActingClient, idempotency_key: str) -> Webhook:
        body = read_webhook_form(key=KEY).body
        if body is None:
            raise RuntimeError("the form changed between the click and the write")
        return client.webhooks.create(body.url, body.events, idempotency_key=idempotency_key)

    def show(webhook: Webhook) -> None:
        if webhook.secret:
            state[SECRET] = (webhook.secret, without_secrets(webhook.url))
        state.pop(f"{KEY}/url", None)
        navigation.go("webhooks", id=webhook.id)

    write_button(
        deployment,
        "Register it",
        name=KEY,
        what="Registering the webhook",
        write=register,
        done=show,
        icon=":material/add_link:",
        type="primary",
        ready=is_complete,
    )


def all_webhooks() -> None:
    page_header("Webhooks", caption="Where events are sent, and every delivery.")
    secret_panel()
    tabs = [REGISTERED, REGISTER] if offers("POST /v1/webhooks") else [REGISTERED]
    bodies = {REGISTERED: registered_tab, REGISTER: register_tab}
    for tab, name in zip(st.tabs(tabs, key="tab", bind="query-params"), tabs, strict=True):
        with tab:
            if tab.open:
                bodies[name]()


# --- one webhook ---


def find(webhook_id: str) -> Webhook | None:
    """The interface has no read of one webhook, so it is looked for among all."""
    return next((each for each in queries.webhooks(deployment) if each.id == webhook_id), None)


def one_webhook(webhook: Webhook) -> None:
    navigation.link("webhooks", "All webhooks", icon=":material/arrow_back:")
    # Without its scheme the address is no link: opening an endpoint in a browser is never what one wants.
    scheme, _, rest = without_secrets(webhook.url).partition("://")
    page_header(rest, badges=[(scheme, "green" if scheme == "https" else "orange")])
    with st.container(horizontal=True):
        for event in webhook.events:
            st.badge(plain(event), color="blue")
    secret_panel()
    detailed = offers("GET /v1/webhooks/{}")
    enabled = True
    if detailed:
        with shown_as_panel("The health of this webhook"):
            detail = extension_queries.webhook_detail(deployment, webhook.id)
            enabled = detail.enabled
            draw_webhook_health(detail, datetime.now(UTC))
    controls(webhook, enabled)
    st.subheader("Deliveries", anchor=False)
    filters = draw_filters()
    st.fragment(deliveries, run_every=LIVE_SECONDS)(webhook.id, filters)
    identifier("Webhook", webhook.id)


def forget(_: object) -> None:
    extension_queries.forget()


def controls(webhook: Webhook, enabled: bool) -> None:
    """What can be done with it, as far as the deployment goes along."""

    def test(client: ActingClient, idempotency_key: str) -> object:
        return client.webhooks.test(webhook.id, idempotency_key=idempotency_key)

    def turn(client: ActingClient, idempotency_key: str) -> object:
        return client.webhooks.update(webhook.id, enabled=not enabled)

    def rotate(client: ActingClient, idempotency_key: str) -> RotatedSecret:
        return RotatedSecret.model_validate(
            client.webhooks.rotate_secret(webhook.id, idempotency_key=idempotency_key)
        )

    def show_secret(rotated: RotatedSecret) -> None:
        st.session_state[SECRET] = (rotated.secret, without_secrets(webhook.url))
        extension_queries.forget()

    def again(client: ActingClient, idempotency_key: str) -> object:
        since = datetime.now(UTC) - timedelta(days=1)
        # The body differs from try to try, so the key of an earlier one would be refused.
        return client.webhooks.redeliver_since(webhook.id, since)

    with st.container(horizontal=True, vertical_alignment="center"):
        if offers("POST /v1/webhooks/{}/test"):
            write_button(
                deployment,
                "Send a test",
                name=f"test-{webhook.id}",
                what="Sending a test",
                write=test,
                done=forget,
                icon=":material/send:",
                disabled=not enabled,
            )
        if offers("PATCH /v1/webhooks/{}"):
            write_button(
                deployment,
                "Turn it off" if enabled else "Turn it on",
                name=f"turn-{webhook.id}",
                what="Changing the webhook",
                write=turn,
                done=forget,
                icon=":material/pause:" if enabled else ":material/play_arrow:",
            )
        if offers("POST /v1/webhooks/{}/events/redeliver"):
            write_button(
                deployment,
                "Send again what failed in a day",
                name=f"again-{webhook.id}",
                what="Sending again",
                write=again,
                done=forget,
                icon=":material/replay:",
                disabled=not enabled,
            )
        if offers("POST /v1/webhooks/{}/secret"):
            write_button(
                deployment,
                "New secret",
                name=f"rotate-{webhook.id}",
                what="Making a new secret",
                write=rotate,
                done=show_secret,
                icon=":material/key:",
                help="The present one signs along for 24 hours",
            )
        if offers("DELETE /v1/webhooks/{}"):
            delete(webhook)


def delete(webhook: Webhook) -> None:
    def end(client: ActingClient, idempotency_key: str) -> object:
        return client.webhooks.delete(webhook.id)

    def leave(_: object) -> None:
        navigation.go("webhooks")

    with st.popover("Delete", icon=":material/delete:", key="delete"):
        st.markdown("Nothing more is sent to it, and its deliveries can no longer be seen. This is final.")
        write_button(
            deployment,
            "Delete this webhook",
            name=f"delete-{webhook.id}",
            what="Deleting the webhook",
            write=end,
            done=leave,
            type="primary",
        )


# --- deliveries ---

Filters = tuple[str | None, int | None, timedelta | None]


def draw_filters() -> Filters:
    """State, class of the answer and age, all in the address."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state = st.selectbox("State", list(STATES), key="state", bind="query-params", width=180)
        answer = st.selectbox("Answer", list(ANSWERS), key="answer", bind="query-params", width=180)
        since = st.selectbox("Created", list(SINCE), key="since", bind="query-params", width=180)
    return STATES.get(state), ANSWERS.get(answer), SINCE.get(since)


def passes(record: WebhookEvent, filters: Filters, now: datetime) -> bool:
    """Whether a record is asked for. Checked here as well, since a deployment may not know the filters."""
    state, answer, since = filters
    if state is not None and record.status != state:
        return False
    if answer is not None and (int(record.response_status) // 100 != answer or not record.attempts):
        return False
    return since is None or (record.created_at is not None and now - record.created_at <= since)


def deliveries(webhook_id: str, filters: Filters) -> None:
    with shown_as_panel("The deliveries"):
        now = datetime.now(UTC)
        page = queries.webhook_events(deployment, webhook_id, status=filters[0])
        records = [record for record in page.data if passes(record, filters, now)]
        if records:
            opened = draw_delivery_table(records, key="deliveries", zone=reader_zone())
            said = "the newest " if page.more else ""
            st.caption(f"{said}{counted(len(records), 'delivery', 'deliveries')}, newest first")
            if opened:
                navigation.go("webhooks", id=webhook_id, event=opened)
        elif any(part is not None for part in filters):
            empty_state("No match", "No delivery fits these filters.", icon="filter_alt_off")
        else:
            empty_state("No deliveries yet", "Nothing happened that this webhook is told of.", icon="outbox")


# --- one delivery ---


def one_delivery(webhook: Webhook, event_id: str) -> None:
    navigation.link(
        "webhooks",
        f"Deliveries to {plain(without_secrets(webhook.url))}",
        icon=":material/arrow_back:",
        id=webhook.id,
    )
    record = queries.webhook_event(deployment, webhook.id, event_id)
    page_header(f"Delivery {short(event_id)}", caption=str(record.data.body.get("eventType", "")) or None)
    finished = record.status in {"succeeded", "failed"}
    st.fragment(state_of, run_every=None if finished else 1.0)(webhook.id, record)
    if offers("POST /v1/webhooks/{}/events/{}/redeliver"):

        def again(client: ActingClient, idempotency_key: str) -> object:
            return client.webhooks.redeliver(webhook.id, event_id, idempotency_key=idempotency_key)

        write_button(
            deployment,
            "Send it again",
            name=f"redeliver-{event_id}",
            what="Sending it again",
            write=again,
            done=forget,
            icon=":material/replay:",
        )
    zone = reader_zone()
    draw_delivery_detail(record, webhook.url, key="delivery", now=datetime.now(UTC), zone=zone)
    if offers("GET /v1/webhooks/{}/events/{}/attempts"):
        st.subheader("Attempts", anchor=False)
        with shown_as_panel("The attempts"):
            draw_attempt_timeline(extension_queries.attempts(deployment, webhook.id, event_id), zone)
    identifier("Delivery", event_id)


def state_of(webhook_id: str, seen: WebhookEvent) -> None:
    """The state with its countdown, each second; the whole page anew once something changed."""
    draw_delivery_state(seen, datetime.now(UTC), reader_zone())
    changed = False
    with shown_as_panel("Following the delivery"):
        changed = queries.webhook_event(deployment, webhook_id, seen.id).updated_at != seen.updated_at
    if changed:
        extension_queries.forget()
        st.rerun()


asked = navigation.asked_id()
if asked is None:
    all_webhooks()
else:
    with shown_as_panel("This webhook"):
        webhook = find(asked)
        event = st.query_params.get("event")
        if webhook is None:
            page_header("Webhook")
            if empty_state(
                "This webhook is not there",
                "It may have been deleted, or it belongs to another organization.",
                icon="webhook",
                action="All webhooks",
                key="to-webhooks",
            ):
                navigation.go("webhooks")
        elif event:
            with shown_as_panel("This delivery"):
                one_delivery(webhook, event)
        else:
            one_webhook(webhook)
