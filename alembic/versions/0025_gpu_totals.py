"""Keep what each GPU of a job did, the energy of jobs, and the peaks and power of samples.

Revision: 0025
Revises: 0024
"""

import sqlalchemy as sa

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

SUMS = ("usage_jobs", "usage_days", "usage_months")
SAMPLES = ("usage_samples", "usage_hours")


def upgrade() -> None:
    op.create_table(
        "usage_gpus",
        sa.Column("job_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("started_s", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("node", sa.String(255), primary_key=True),
        sa.Column("gpu", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("uuid", sa.String(96), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("reported_s", sa.BigInteger(), nullable=False),
        sa.Column("known_s", sa.Double(), nullable=False),
        sa.Column("used_s", sa.Double(), nullable=False),
        sa.Column("peak_percent", sa.Double(), nullable=True),
        sa.Column("memory_mib", sa.Integer(), nullable=True),
        sa.Column("memory_peak_mib", sa.Integer(), nullable=True),
        sa.Column("power_peak_w", sa.Double(), nullable=True),
        sa.Column("energy_j", sa.BigInteger(), nullable=True),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_usage_gpus_reported_s", "usage_gpus", ["reported_s"])
    for table in SUMS:
        op.add_column(table, sa.Column("energy_j", sa.BigInteger(), nullable=False, server_default="0"))
    for table in SAMPLES:
        for name in ("gpu_peak_percent", "power_w"):
            op.add_column(table, sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    for table in SAMPLES:
        for name in ("power_w", "gpu_peak_percent"):
            op.drop_column(table, name)
    for table in SUMS:
        op.drop_column(table, "energy_j")
    op.drop_table("usage_gpus")
