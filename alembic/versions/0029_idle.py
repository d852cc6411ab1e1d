"""Keep the signs of work in samples, and the warnings of idle sessions.

Revision: 0029
Revises: 0028
"""

import sqlalchemy as sa

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

SIGNS = ("kernel_busy_percent", "programs", "quiet_s", "disk_kib_s", "network_kib_s")


def upgrade() -> None:
    for name in SIGNS:
        op.add_column("usage_samples", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("usage_hours", sa.Column("kernel_busy_percent", sa.Integer(), nullable=True))
    op.create_table(
        "idle_warnings",
        sa.Column("session_id", sa.String(12), primary_key=True),
        sa.Column("since_s", sa.Double(), nullable=True),
        sa.Column("warned_s", sa.Double(), nullable=True),
        sa.Column("ends_s", sa.Double(), nullable=True),
        sa.Column("snoozed_to_s", sa.Double(), nullable=False),
        sa.Column("snoozes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name="fk_idle_warnings_session_id_sessions", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("idle_warnings")
    op.drop_column("usage_hours", "kernel_busy_percent")
    for name in reversed(SIGNS):
        op.drop_column("usage_samples", name)
