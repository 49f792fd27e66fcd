from app.contract.second_opinion import SecondOpinion
from components.documents.document_review import draw_second_opinion
from tests.components.fixtures import NOON


def example() -> None:
    draw_second_opinion(
        SecondOpinion(
            status="answered",
            address="https://models.example.com/v1",
            model="small-model",
            asked_at=NOON,
            asked_about=["net_total", "total", "lines"],
            page_numbers=[1],
            word_count=44,
            sentences=["It reads 4 lines instead of 2, which make up the price before tax."],
        )
    )
