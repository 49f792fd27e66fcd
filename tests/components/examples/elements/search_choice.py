from components.elements.form_fields import FoundOptions, draw_search_choice


def example() -> None:
    everything = {"1": "Ledger Cloud", "2": "Ledger Cloud Plus"}

    def find(text: str) -> FoundOptions:
        names = {ident: name for ident, name in everything.items() if text.casefold() in name.casefold()}
        return FoundOptions(names, len(names))

    draw_search_choice(find, "product", [], key="example-search", on_choose=lambda _: None)
