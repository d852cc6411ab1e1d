"""Keep what a submission asks for, and how many tasks of an array may run at once.

Revision: 0021
Revises: 0020
"""

import sqlalchemy as sa

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("array_at_once", sa.Integer(), nullable=True))
    op.add_column("job_submissions", sa.Column("gpus", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("job_submissions", sa.Column("gpu_hours", sa.Double(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("job_submissions", "gpu_hours")
    op.drop_column("job_submissions", "gpus")
    op.drop_column("jobs", "array_at_once")
