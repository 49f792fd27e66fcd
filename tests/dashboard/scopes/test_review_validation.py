"""What a reviewer corrects becomes a follow-up of the scope; what cannot is named."""

from datetime import date
from decimal import Decimal

import pytest

from app.contract.scope import DocumentReading, NewScopeTerm, ReadLine, ReadValue, Scope
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.dashboard.scopes.document_review import make_terms_form
from app.dashboard.scopes.review_validation import ConfirmedReview, validate_review
from components.documents.review_form import ReviewedLine
from tests.components.catalog.fixtures import make_product
from tests.components.fixtures import make_id
from tests.components.scopes.fixtures import make_scope

SCOPE: Scope = make_scope()
PRODUCT = make_product()
ADA = Deployment("http://127.0.0.1:1", "key")


def line(index: int, **values: Decimal | str | bool) -> ReadLine:
    return ReadLine(index=index, values=[ReadValue(name=name, value=one) for name, one in values.items()])


SEATS = line(0, description="Ledger Cloud", quantity=Decimal(120), amount=Decimal(52400)).model_copy(
    update={"product_id": PRODUCT.id, "product_name": PRODUCT.name}
)
TRAINING = line(1, description="Training day", quantity=Decimal(2), amount=Decimal(2000))
READING = DocumentReading(
    scope_id=SCOPE.id,
    file_id=make_id(71),
    filename="quote.pdf",
    kind="quote",
    pages=[],
    values=[],
    lines=[SEATS, TRAINING],
    warnings=[],
)


def check_terms(**changed: object) -> CheckedForm[NewScopeTerm]:
    form = make_terms_form(ADA, SCOPE, READING, "review")
    return form.check_values({**form.filled, **changed})


def reviewed(*lines: ReviewedLine, quantity: int = 120, months: int = 12) -> CheckedForm[ConfirmedReview]:
    seats = ReviewedLine(SEATS, PRODUCT.id, Decimal(quantity), Decimal(52400))
    terms = check_terms(term_length=months).body
    return validate_review(SCOPE, READING, terms, "", lines or [seats], {PRODUCT.id: PRODUCT})


def test_a_corrected_quantity_is_sent_with_the_link_to_the_earlier_scope() -> None:
    review = reviewed(quantity=125).body
    assert review is not None
    assert review.scope.previous_scope_id == SCOPE.id
    [term] = review.scope.product_terms
    assert term.pricing_dimensions[0].value == 125
    assert term.final_price == 52400


def test_terms_are_taken_as_corrected() -> None:
    term = check_terms(
        term_length=24,
        final_price=51000.5,
        start_date=date(2026, 4, 1),
        end_date=date(2028, 3, 31),
        auto_renew=False,
    ).body
    assert term is not None
    assert (term.term_length, term.final_price, term.auto_renew) == (24, Decimal("51000.50"), False)
    assert (str(term.start_date), str(term.end_date)) == ("2026-04-01", "2028-03-31")


def test_a_price_that_was_read_is_left_to_the_deployment_for_another_term() -> None:
    months = int(SCOPE.scope_terms[0].term_length)
    seats = SEATS.model_copy(update={"term_amount": Decimal(52400)})
    for amount, longer, sent in ((52400, 0, 52400), (52400, 12, None), (60000, 12, 60000)):
        line = ReviewedLine(seats, PRODUCT.id, Decimal(120), Decimal(amount))
        review = reviewed(line, months=months + longer).body
        assert review is not None
        [term] = [one.product_term for one in review.document.lines]
        assert term is not None
        assert term.final_price == sent
        assert review.scope.product_terms[0].final_price == amount


def test_a_line_that_was_not_matched_may_be_given_a_product() -> None:
    seats = ReviewedLine(SEATS, PRODUCT.id, Decimal(120), Decimal(52400))
    training = ReviewedLine(TRAINING, PRODUCT.id, Decimal(20), Decimal(2000))
    review = reviewed(training, seats).body
    assert review is not None
    assert [term.final_price for term in review.scope.product_terms] == [52400, 2000], (
        "in the document's order"
    )
    assert review.scope.product_terms[1].pricing_dimensions[0].value == 20


def test_a_line_without_a_product_is_no_part_of_the_purchase() -> None:
    seats = ReviewedLine(SEATS, PRODUCT.id, Decimal(120), None)
    training = ReviewedLine(TRAINING, None, Decimal(2), Decimal(2000))
    review = reviewed(seats, training).body
    assert review is not None
    assert len(review.scope.product_terms) == 1


@pytest.mark.parametrize(
    ("terms", "place"),
    [
        ({"term_length": None}, "term_length"),
        ({"term_length": 1201}, "term_length"),
        ({"final_price": -1.0}, "final_price"),
        ({"start_date": date(2026, 3, 31), "end_date": date(2026, 3, 1)}, "end_date"),
    ],
)
def test_a_term_that_cannot_be_is_named(terms: dict[str, object], place: str) -> None:
    outcome = check_terms(**terms)
    assert outcome.body is None
    assert list(outcome.faults) == [place]


def test_what_the_document_does_not_state_is_left_open() -> None:
    unread = SCOPE.model_copy(update={"scope_terms": []})
    form = make_terms_form(ADA, unread, READING, "review")
    assert form.filled["term_length"] is form.filled["final_price"] is form.filled["auto_renew"] is None


@pytest.mark.parametrize(
    ("quantity", "amount", "said"),
    [
        (None, Decimal(5), "Enter a quantity"),
        (Decimal(0), Decimal(5), "Enter a quantity"),
        (Decimal(1), Decimal(-5), "below 0"),
    ],
)
def test_a_line_that_cannot_be_is_named(quantity: Decimal | None, amount: Decimal, said: str) -> None:
    outcome = reviewed(ReviewedLine(TRAINING, PRODUCT.id, quantity, amount))
    assert outcome.body is None
    [(place, fault)] = outcome.faults.items()
    assert place.startswith("Training day")
    assert said in fault


def test_without_any_product_there_is_nothing_to_confirm() -> None:
    outcome = reviewed(ReviewedLine(TRAINING, None, Decimal(2), Decimal(2000)))
    assert outcome.body is None
    assert "at least one line" in outcome.faults["Products"]


@pytest.mark.parametrize(
    ("first", "months", "sent"),
    [(12, 12, (12, 12)), (24, None, (24, 12)), (None, None, (0, 36)), (24, 13, None), (-1, 12, None)],
)
def test_the_part_of_the_term_is_sent_as_corrected(
    first: int | None, months: int | None, sent: tuple[int, int] | None
) -> None:
    year = SEATS.model_copy(update={"first_month": 0, "months": 12})
    line = ReviewedLine(year, PRODUCT.id, Decimal(120), Decimal(52400), first_month=first, months=months)
    outcome = reviewed(line, months=36)
    if sent is None:
        assert list(outcome.faults) == ["Ledger Cloud: "]
    else:
        assert outcome.body is not None
        [term] = outcome.body.scope.product_terms
        assert (term.first_month, term.months) == sent
    [whole] = reviewed(months=36).body.scope.product_terms  # type: ignore[union-attr]
    assert whole.months is None
