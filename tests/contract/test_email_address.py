"""What is accepted as an e-mail address."""

import pytest

from app.contract.values import is_email_address


@pytest.mark.parametrize(
    "text",
    [
        "a@b.co",
        "first.last+tag@mail-1.example",
        "!#$%&'*+-/=?^_`{|}~@x.yz",
        "müller@müller.example",
        "e\u0301@xn--mller-kva.example",
        "विकास@डेटामेल.भारत",
        f"a@{'x' * 63}.co",
    ],
)
def test_an_address_is_accepted(text: str) -> None:
    assert is_email_address(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "@", "a", "a@", "@b.co", "a@b", "a@localhost", "a@@b.co", "a@b@c.co"),
        *(".a@b.co", "a.@b.co", "a..b@b.co", "a@.b.co", "a@b..co", "a@b.co.", "a@-b.co", "a@b-.co"),
        *("a@b_c.de", "a b@c.de", "A <a@b.co>", '"a b"@c.de', "a@b.co,c@d.de", "a@b.co;c@d.de", "a,b@c.de"),
        *("a@b.co\n", "a@b.co\r\nBcc: c@d.de", "a\x00@b.co", "\u202ea@b.co", "a@b\u3000c.co"),
        *("a@1.2.3.4", "a@[1.2.3.4]", f"a@{'x' * 64}.co", f"a@{'x.' * 130}co"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    assert not is_email_address(text)
