"""How new a query is to the purchases that it is compared with."""

import numpy as np

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import GRID, Newness
from app.service.pricing.estimator.newness import classify_newness, explain_widening, widen_by_age
from app.service.pricing.estimator.similarity import measure_similarity
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.purchase_records import PriceQuery, Purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase

PEN = "Blue ballpoint pen"


def newness(query: PriceQuery, *purchases: Purchase) -> Newness:
    candidates = Candidates.from_purchases(purchases)
    query_row = Candidates.from_query(query, FIRST_DAY.toordinal())
    similarity = measure_similarity(query_row, candidates, DocumentFrequencies.from_texts(candidates.texts))
    return classify_newness(query_row, candidates, np.arange(len(candidates))[None], similarity)[0]


def test_what_is_newest_counts() -> None:
    asked = PriceQuery(PEN, supplier="Acme")
    first, second = purchase(order_id="o-1"), purchase(order_id="o-2")
    assert newness(asked, purchase(supplier="Other")) == "new_supplier"
    assert newness(asked, purchase(product="Stapler")) == "new_product"
    assert newness(asked, first, purchase(order_id="o-1")) == "one_order"
    assert newness(asked, first, second) == "known"


def test_purchases_without_an_order_are_orders_of_their_own() -> None:
    asked = PriceQuery(PEN, supplier="Acme")
    alone = purchase(order_id=None)
    assert newness(asked, alone) == "one_order"
    assert newness(asked, alone, alone) == "known"
    assert newness(asked, alone, purchase()) == "known"


def test_a_query_without_a_supplier_is_no_suppliers_first() -> None:
    assert newness(PriceQuery(PEN), purchase(product="Stapler")) == "new_product"


def test_the_reason_names_what_is_new_and_by_how_much() -> None:
    assert explain_widening("new_supplier", 0.144) == (
        "No comparable purchase is from this supplier: the range was widened by 14 %."
    )


def test_a_new_product_is_estimated_the_wider_the_older_the_purchases_are() -> None:
    known = np.array(GRID)
    assert widen_by_age(known, "known", 3.0) is known
    today, later = widen_by_age(known, "new_product", 0.0), widen_by_age(known, "new_product", 3.0)
    low, middle, high = GRID.index(0.1), GRID.index(0.5), GRID.index(0.9)
    assert today.tolist() == known.tolist()
    assert later[low] < 0.05 < 0.95 < later[high]
    assert later[middle] == 0.5
    assert (np.diff(later) > 0).all()
