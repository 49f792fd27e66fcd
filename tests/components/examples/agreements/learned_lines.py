from app.contract.agreement_purchases import AgreementPurchase
from components.agreements.portfolio import draw_learned_lines


def example() -> None:
    draw_learned_lines(
        [
            AgreementPurchase(line=0, description="Analytics", state="learned", alike=[]),
            AgreementPurchase(
                line=1, description="Set up", state="not_learned", reason="It costs nothing.", alike=[]
            ),
        ]
    )
