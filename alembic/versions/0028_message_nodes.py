"""Keep which drained nodes a message is about.

Revision: 0028
Revises: 0027
"""

import sqlalchemy as sa

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("messages", sa.Column("nodes", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("messages", "nodes")
