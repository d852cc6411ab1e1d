"""Keep whether a share is to look or to use, and which sessions' agents can tell the two apart.

Revision: 0035
Revises: 0034
"""

import sqlalchemy as sa

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("session_shares", sa.Column("mode", sa.String(8), server_default="use", nullable=False))
    op.add_column("sessions", sa.Column("onlookers", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("sessions") as table:
        table.drop_column("onlookers")
    with op.batch_alter_table("session_shares") as table:
        table.drop_column("mode")
