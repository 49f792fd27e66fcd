from components.elements.page_header import draw_sample_badge, draw_sample_banner, draw_sample_records_banner


def example() -> None:
    draw_sample_banner()
    draw_sample_records_banner()
    draw_sample_badge()
