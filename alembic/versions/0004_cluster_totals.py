"""The cluster's totals over time.

Revision: 0004
Revises: 0003
"""

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

MEANS = (
    "gpus_used",
    "gpus_down",
    "cpus_used",
    "cpus_down",
    "memory_used_mib",
    "memory_down_mib",
    "jobs_running",
    "jobs_waiting",
)


def upgrade() -> None:
    op.create_table(
        "cluster_totals",
        sa.Column("step_s", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("gpus", "cpus")),
        sa.Column("memory_mib", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.Double(), nullable=False) for name in MEANS),
        sa.PrimaryKeyConstraint("step_s", "at", name=op.f("pk_cluster_totals")),
    )


def downgrade() -> None:
    op.drop_table("cluster_totals")
