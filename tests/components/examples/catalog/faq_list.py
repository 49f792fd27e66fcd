from app.contract.negotiation import Faqs
from components.catalog import draw_faq_list


def example() -> None:
    draw_faq_list(
        Faqs.model_validate(
            {
                "faqs": [
                    {"question": "When do they discount?", "answer": "<p>At <b>quarter end</b>.</p>"},
                    {"question": "Is <this> safe?", "answer": 'Yes<script>1</script><img src="x">.'},
                ],
                "lastUpdatedAt": "2026-03-02T12:00:00Z",
            }
        )
    )
