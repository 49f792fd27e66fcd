"""What is charged: how much, for how many, per what, from when and for how long; and all amounts of it.

`Charge` is one price, `Schedule` all of a deal, `Amount` a sum of money with what it covers. Everything that
is shown or compared is computed from a schedule, exactly (numbers are fractions), and rounded at the edge
only, to the decimals of the currency. What is not stated is None and stays so: an amount
names what is missing in it. Pure.
"""
