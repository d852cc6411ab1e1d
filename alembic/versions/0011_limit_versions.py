"""Give limits a version, so that concurrent changes are detected.

Revision: 0011
Revises: 0010
"""

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("limits", sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
    with op.batch_alter_table("limits") as limits:
        limits.alter_column("version", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("limits") as limits:
        limits.drop_column("version")
