"""Agreements with suppliers, what was decided about them, feeds of their deadlines, and working days."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

agreement = sa.Table(
    "agreement",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("company_id", Key),
    sa.Column("supplier_name", sa.Text),
    sa.Column("search_text", sa.Text, nullable=False),  # folded name and supplier
    sa.Column("identity_key", sa.String(32)),  # `agreements.identity`
    # What its dates follow from: `agreements.dates.occurrences.AgreementTerms`.
    sa.Column("term_start", sa.Date),
    sa.Column("term_end", sa.Date),
    sa.Column("renewal_type", sa.String(10)),
    sa.Column("auto_renewal_term_months", sa.Integer),
    sa.Column("max_renewals", sa.Integer),
    sa.Column("max_extent_date", sa.Date),
    sa.Column("notice_value", sa.Integer),
    sa.Column("notice_unit", sa.String(12)),
    sa.Column("notice_to", sa.String(8)),
    sa.Column("delivery_buffer_days", sa.Integer),
    sa.Column("notice_given_on", sa.Date),
    sa.Column("options_exercised", sa.Integer, nullable=False, server_default="0"),
    sa.Column("next_start", sa.Date),  # when the agreement begins that follows this one
    # The latest decision, which holds for the term that it was taken in.
    sa.Column("decision", sa.String(11)),
    sa.Column("decided_on", sa.Date),
    sa.Column("put_off_until", sa.Date),
    # Where it stands, and from and until which day: `agreements.stored_positions`. Computed where they do not
    # hold, as those of a new row.
    sa.Column("status", sa.String(16), nullable=False, server_default="unknown"),
    sa.Column("stage", sa.String(14), nullable=False, server_default="not_started"),
    sa.Column("past", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("order_day", sa.Date, nullable=False, server_default="9999-12-31"),
    sa.Column("position_from", sa.Date, nullable=False, server_default="9999-12-31"),
    sa.Column("position_until", sa.Date, nullable=False, server_default="0001-01-01"),
    # Whether its purchases are up to date with its lines and with what else is on record.
    sa.Column("learned", sa.Boolean, nullable=False, server_default=sa.false()),
    # How often purchases or rates have changed that its price today follows from.
    sa.Column("price_changes", sa.Integer, nullable=False, server_default="0"),
    # What is paid, and who looks after it.
    sa.Column("currency", sa.String(3)),
    sa.Column("total_value", sa.Double),
    sa.Column("one_time_value", sa.Double),
    sa.Column("priced_by_part", sa.Boolean, nullable=False, server_default=sa.false()),  # of the first term
    sa.Column("owners", Json),
    sa.Column("cost_center", sa.Text),
    sa.Column("content", Json, nullable=False),  # the other fields of `contract.agreements.NewAgreement`
    sa.Column("missing", Json, nullable=False),  # names of fields, on the wire
    sa.Column("evidence", Json, nullable=False),  # {field on the wire: `contract.agreements.FieldEvidence`}
    sa.Column("scope_id", Key, sa.ForeignKey("scope.id"), index=True),
    sa.Column("negotiation_id", Key, sa.ForeignKey("negotiation.id"), unique=True),
    sa.Column("file_id", Key, sa.ForeignKey("file.id"), index=True),
    sa.Column("previous_agreement_id", Key, sa.ForeignKey("agreement.id"), index=True),
    sa.Column("next_agreement_id", Key),  # no foreign key: it comes later
    sa.Column("end_user", Json),
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index(None, "organisation_id", "id"),
    # Lists are sorted, counted and found outdated in it alone.
    sa.Index(
        "ix_agreement_position",
        "organisation_id",
        "past",
        "order_day",
        "id",
        "status",
        "stage",
        "position_from",
        "position_until",
    ),
    sa.Index(None, "organisation_id", "identity_key"),
)

agreement_decision = sa.Table(
    "agreement_decision",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("agreement_id", Key, sa.ForeignKey("agreement.id"), nullable=False),
    sa.Column("decision", sa.String(11), nullable=False),
    sa.Column("note", sa.Text),
    sa.Column("notice_given_on", sa.Date),
    sa.Column("term_end", sa.Date),  # of the term that it was taken in
    sa.Column("decided_by", sa.Text),
    sa.Column("decided_at", Instant, nullable=False),
    sa.Index(None, "agreement_id", "decided_at", "id"),
)

agreement_alert = sa.Table(
    # An event that was sent about an agreement: each is sent once.
    "agreement_alert",
    metadata,
    sa.Column("agreement_id", Key, sa.ForeignKey("agreement.id"), primary_key=True),
    sa.Column("name", sa.String(60), primary_key=True),  # the event with its day: `agreements.alerts`
    sa.Column("sent_at", Instant, nullable=False),
)

deadline_mail = sa.Table(
    # Whether the owners of agreements get mail about their deadlines; without a row they do.
    "deadline_mail",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    sa.Column("enabled", sa.Boolean, nullable=False),
)


agreement_purchase = sa.Table(
    # What became of a line as a purchase. No foreign keys: rows of an agreement or purchase that is gone say
    # what is to be taken back, or made again.
    "agreement_purchase",
    metadata,
    sa.Column("agreement_id", Key, primary_key=True),
    sa.Column("line", sa.Integer, primary_key=True),  # from 0
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("product_id", Key),
    sa.Column("purchase_id", Key, index=True),
    sa.Column("own", sa.Boolean, nullable=False),  # whether the purchase was made of this line
    sa.Column("reason", sa.Text),  # why there is no purchase
    sa.Column("alike", Json, nullable=False),  # ids of purchases that may be the same
    sa.Index(None, "organisation_id", "product_id"),
)

same_purchase = sa.Table(
    # Whether a purchase is that of a line, where a person has decided it: `agreements.learning`.
    "same_purchase",
    metadata,
    sa.Column("agreement_id", Key, sa.ForeignKey("agreement.id"), primary_key=True),
    sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),  # from 0
    sa.Column("purchase_id", Key, primary_key=True),  # no foreign key: it may be taken back
    sa.Column("same", sa.Boolean, nullable=False),
    sa.Column("decided_by", sa.Text),
    sa.Column("decided_at", Instant, nullable=False),
)

agreement_market = sa.Table(
    # What an agreement should cost today: `agreements.market`. Absent until it was computed.
    "agreement_market",
    metadata,
    sa.Column("agreement_id", Key, sa.ForeignKey("agreement.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("organisation_id", Key, nullable=False),
    sa.Column("currency", sa.String(3)),
    sa.Column("amount", sa.Double, nullable=False),
    sa.Column("saving", sa.Double, nullable=False),
    sa.Column("rank", sa.Double, nullable=False),  # the smallest first
    sa.Column("content", Json, nullable=False),  # the rest of `contract.agreement_market.AgreementMarket`
    sa.Column("priced_at", Instant, nullable=False),
    sa.Column("price_changes", sa.Integer, nullable=False, server_default="0"),  # as of then
    sa.Index(None, "organisation_id", "rank", "agreement_id"),
)

calendar_feed = sa.Table(
    "calendar_feed",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),  # SHA-256; the token is shown once
    sa.Column("created_at", Instant, nullable=False),
    # With whose access it ends: a person or key; null of one that a version before 302 made.
    sa.Column("maker_kind", sa.String(6)),
    sa.Column("maker_id", Key),
    sa.Column("used_at", Instant),  # to the hour
    sa.Index(None, "organisation_id", "created_at", "id"),
)

working_days = sa.Table(
    "working_days",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    sa.Column("days_off", Json, nullable=False),  # as `contract.agreements.WorkingDays`
)
