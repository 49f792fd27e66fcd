from app.contract.page import Pagination
from components.elements.pagination import draw_pagination_bar


def example() -> None:
    draw_pagination_bar(Pagination(total=80, limit=10, offset=10), "example-page", "company", "companies")
