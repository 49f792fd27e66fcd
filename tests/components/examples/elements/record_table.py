from components.elements.record_table import LEFT, RIGHT, Badges, ColouredWord, RecordRow, draw_record_table


def example() -> None:
    draw_record_table(
        [
            RecordRow(
                "company",
                {"id": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"},
                {
                    "Company": "Acme Cloud",
                    "Labels": Badges(["sample"]),
                    "State": ColouredWord("Current", "green"),
                    "Purchases": 1240,
                },
            )
        ],
        alt="One company",
        columns={"Company": LEFT, "Domain": LEFT, "Labels": LEFT, "State": LEFT, "Purchases": RIGHT},
    )
