"""A session's app options, and the environment it ran in.

Revision: 0002
Revises: 0001
"""

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("environment_version", sa.String(length=255), nullable=True))
    op.add_column("sessions", sa.Column("image", sa.JSON(), nullable=True))
    op.add_column("sessions", sa.Column("options", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("sessions", sa.Column("modules", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    for name in ("modules", "options", "image", "environment_version"):
        op.drop_column("sessions", name)
