"""Keep changes of sessions' time limits, and how much time their owners have added.

Revision: 0022
Revises: 0021
"""

import sqlalchemy as sa

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

COUNTS = ("extended_s", "extended_times")


def upgrade() -> None:
    op.add_column("sessions", sa.Column("limit_change", sa.JSON(), nullable=True))
    op.add_column("sessions", sa.Column("limit_changed_at", sa.DateTime(timezone=True), nullable=True))
    for name in COUNTS:
        op.add_column("sessions", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for name in (*COUNTS, "limit_changed_at", "limit_change"):
        op.drop_column("sessions", name)
