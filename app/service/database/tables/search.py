"""What can be found by words. Rows of companies and products are kept by triggers on their tables, those of
an organisation's own records by `search_index.index_record`; all go with their record, by triggers too."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Key, Ordered, metadata

search_entry = sa.Table(
    "search_entry",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(11), nullable=False),  # supplier product scope negotiation document
    # Of a document the scope that it was read into, or its attachment to a negotiation.
    sa.Column("record_id", Key, nullable=False),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),  # null: everybody's
    sa.Column("title", sa.Text, nullable=False),  # as it is shown
    sa.Column("detail", sa.Text, nullable=False),  # what tells it from others of the same title
    sa.Column("name", Ordered, nullable=False),  # the folded title
    sa.Column("text", sa.Text, nullable=False),  # the folded words that it is found by
    sa.Column("negotiation_id", Key),  # the negotiation that a document is attached to
    sa.Column("created_at", Instant),  # of an organisation's own record
    # Kind and owner in one word, so that the index of words finds only what somebody may see.
    sa.Column(
        "place",
        Ordered,
        sa.Computed("kind || replace(coalesce(organisation_id, 'everybody'), '-', '')", persisted=True),
        nullable=False,
    ),
    sa.UniqueConstraint("record_id", "kind"),
    sa.Index(None, "place", "name", "record_id"),
)

common_word = sa.Table(
    # The words that are in so many articles that they tell little, as last counted (`word_search`).
    "common_word",
    metadata,
    sa.Column("word", sa.Text, primary_key=True),
    sa.Column("articles", sa.Integer, nullable=False),
)
