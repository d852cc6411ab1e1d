"""Keep the earlier runs of requeued jobs.

Revision: 0019
Revises: 0018
"""

import sqlalchemy as sa

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("earlier_runs", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("jobs", "earlier_runs")
