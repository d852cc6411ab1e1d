"""Keep what a user's own app declared when its session was requested.

Revision: 0032
Revises: 0031
"""

import sqlalchemy as sa

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("own_app", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("sessions", "own_app")
