"""Keep users' notification channels, and the messages sent through them.

Revision: 0024
Revises: 0023
"""

import sqlalchemy as sa

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

PENDING = sa.text("state = 'pending'")


def upgrade() -> None:
    op.create_table(
        "notification_channels",
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("shape", sa.String(16)),
        sa.Column("host", sa.String(255)),
        sa.Column("url_sealed", sa.LargeBinary()),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("owner", "channel", name="pk_notification_channels"),
    )
    op.create_table(
        "notifications",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("session_id", sa.String(12)),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("maybe_sent", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True)),
        sa.Column("result", sa.Text(), nullable=False),
    )
    op.create_index("ix_notifications_owner_at", "notifications", ["owner", "at"])
    op.create_index("ix_notifications_session_id", "notifications", ["session_id"])
    op.create_index(
        "ix_notifications_pending",
        "notifications",
        ["channel", "next_at"],
        sqlite_where=PENDING,
        postgresql_where=PENDING,
    )


def downgrade() -> None:
    op.drop_table("notifications")
    op.drop_table("notification_channels")
