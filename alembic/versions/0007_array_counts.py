"""Which tasks of an array finished, and how many were cancelled.

Revision: 0007
Revises: 0006
"""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("array_cancelled", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("array_done_tasks", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("jobs", "array_done_tasks")
    op.drop_column("jobs", "array_cancelled")
