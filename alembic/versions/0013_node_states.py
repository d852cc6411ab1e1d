"""History of node states: in service or not, since when, and why.

Revision: 0013
Revises: 0012
"""

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "node_states",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("node", sa.String(length=255), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_node_states")),
    )
    op.create_index(op.f("ix_node_states_at"), "node_states", ["at"])
    op.create_index(op.f("ix_node_states_node_at"), "node_states", ["node", "at"])


def downgrade() -> None:
    op.drop_table("node_states")
