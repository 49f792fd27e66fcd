from components.elements.page_header import MARKET_SAMPLE, draw_sample_banner


def example() -> None:
    draw_sample_banner(MARKET_SAMPLE)
