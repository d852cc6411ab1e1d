"""Keep who drained or resumed a node.

Revision: 0030
Revises: 0029
"""

import sqlalchemy as sa

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("node_states", sa.Column("actor", sa.String(255), nullable=True))


def downgrade() -> None:
    op.drop_column("node_states", "actor")
