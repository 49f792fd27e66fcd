from components.elements.record_table import Badges, ColouredWord, Column, draw_record_table


def example() -> None:
    draw_record_table(
        [("018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "Acme Cloud", 1240)],
        {
            "Company": Column(lambda one: one[1]),
            "Domain": Column(lambda _: None),
            "Labels": Column(lambda _: Badges(["sample"])),
            "State": Column(lambda _: ColouredWord("Current", "green")),
            "Purchases": Column(lambda one: one[2], "right"),
        },
        link=lambda one: ("company", {"id": one[0]}),
        alt="One company",
    )
