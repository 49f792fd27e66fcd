"""What cannot be a charge, and what cannot be computed or compared.

ChargeFault
├── InvalidCharge           a figure of a charge or a schedule that no deal has
│   ├── OutsideTerm         it begins before the term or ends after it
│   ├── MixedCurrencies     charges in another currency than that of their schedule
│   └── DiscountAbovePrice  a discount of more than what it is taken from
├── NotStated               what is asked for depends on something that nobody stated
└── NotComparable           two amounts cover different things
"""


class ChargeFault(ValueError):
    """The message says what is wrong, and with which charge."""


class InvalidCharge(ChargeFault):
    """A figure is none that a charge or a schedule can have."""


class OutsideTerm(InvalidCharge):
    """A charge begins before the term or ends after it."""


class MixedCurrencies(InvalidCharge):
    """Charges are in other currencies than their schedule, all of which the message names."""


class DiscountAbovePrice(InvalidCharge):
    """A discount is more than what it is taken from."""


class NotStated(ChargeFault):
    """What is asked for depends on something that is not stated."""


class NotComparable(ChargeFault):
    """Two amounts cover different things: they neither add up nor compare."""
