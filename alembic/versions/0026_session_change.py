"""Keep changes of what waiting sessions ask for until their outcome is known, and whether an end has been seen.

Revision: 0026
Revises: 0025
"""

import sqlalchemy as sa

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("change", sa.JSON(), nullable=True))
    op.add_column("sessions", sa.Column("end_seen", sa.Boolean(), nullable=False, server_default=sa.false()))
    # What ended before there was such a list does not appear on top of it.
    op.execute(sa.text("UPDATE sessions SET end_seen = true WHERE state = 'ended'"))


def downgrade() -> None:
    op.drop_column("sessions", "end_seen")
    op.drop_column("sessions", "change")
