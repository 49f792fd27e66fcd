"""Workers share the webhooks that something is due to, whoever joins or leaves."""

from collections.abc import Mapping

from app.service.webhooks.endpoint_sharing import DueEndpoint, share_endpoints


def endpoints(holders: Mapping[str, str | None], *, late: bool = False) -> list[DueEndpoint]:
    return [DueEndpoint(id, 5, holder, late) for id, holder in holders.items()]


def test_each_takes_its_part_of_what_is_free_and_all_of_it_is_taken() -> None:
    free = endpoints(dict.fromkeys("abcdefg"))
    one, two = (share_endpoints(free, worker_id=id, sharers=["1", "2"]).claims for id in "12")
    assert {*one, *two} == set("abcdefg")
    assert len(one) == len(two) == 4
    assert len({*one} & {*two}) == 1, "they begin at different ends"


def test_one_that_is_alone_takes_all() -> None:
    free = endpoints(dict.fromkeys("abc"))
    assert sorted(share_endpoints(free, worker_id="1", sharers=[]).claims) == ["a", "b", "c"]


def test_one_that_has_its_part_takes_no_more() -> None:
    due = endpoints({"a": "1", "b": "1", "c": None, "d": None})
    assert share_endpoints(due, worker_id="1", sharers=["1", "2"]).claims == []
    assert sorted(share_endpoints(due, worker_id="2", sharers=["1", "2"]).claims) == ["c", "d"]


def test_what_comes_late_is_handed_to_one_that_joins_and_what_does_not_stays() -> None:
    holders = dict.fromkeys("abcd", "1")
    prompt = share_endpoints(endpoints(holders), worker_id="1", sharers=["1", "2"])
    assert prompt.surplus == []
    late = endpoints(holders, late=True)
    assert share_endpoints(late, worker_id="1", sharers=["1", "2"]).surplus == ["a", "b"]
    leaving = share_endpoints(late, worker_id="1", sharers=["1", "2"], leaving=["a", "b"])
    assert leaving.surplus == []
    assert share_endpoints(late, worker_id="1", sharers=["1"]).surplus == []


def test_what_an_ending_worker_still_has_is_nobodys_part() -> None:
    due = endpoints({"a": "ending", "b": "ending", "c": None, "d": None})
    claims = [share_endpoints(due, worker_id=id, sharers=["1", "2"]).claims for id in "12"]
    assert sorted(map(len, claims)) == [1, 1]
