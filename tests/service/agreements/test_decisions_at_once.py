"""Two people who decide on one agreement at once."""

import threading
from datetime import timedelta

from sqlalchemy import Connection
from sqlalchemy.event import listen, remove
from starlette.testclient import TestClient

from app.service.context import Context


def test_the_decision_that_counts_is_the_newest_on_record(api: TestClient, context: Context) -> None:
    today = context.clock().date()
    term = {"termStart": f"{today - timedelta(days=300)}", "termEnd": f"{today + timedelta(days=64)}"}
    body = {"name": "Analytics", "supplierName": "Northgate Ltd", "renewalType": "none", **term}
    path = f"/v1/agreements/{api.post('/v1/agreements', json=body).json()['id']}"
    met: list[int] = []

    def decide(decision: str) -> None:
        assert api.post(f"{path}/decision", json={"decision": decision}).status_code == 200

    def decide_meanwhile(connection: Connection) -> None:
        if connection.get_execution_options().get("writing") and not met:
            met.append(1)
            other = threading.Thread(target=decide, args=("end",))
            other.start()
            other.join()

    engine = context.database.engine
    listen(engine, "begin", decide_meanwhile, insert=True)
    try:
        decide("renew")
    finally:
        remove(engine, "begin", decide_meanwhile)
    seen = api.get(path).json()
    assert met
    assert [one["decision"] for one in seen["decisions"]] == ["renew", "end"]
    assert seen["stage"] == "will_renew"
