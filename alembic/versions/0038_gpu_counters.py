"""Keep how busy multiprocessors and memory bandwidth of GPUs were, and the GPUs' errors and slowed clocks.

Revision: 0038
Revises: 0037
"""

import sqlalchemy as sa

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

SUMS = ("counted_s", "sm_s", "bandwidth_s", "slowed_s")
PEAKS = ("sm_peak_percent", "bandwidth_peak_percent")
SAMPLES = ("usage_samples", "usage_hours")


def upgrade() -> None:
    for name in SUMS:
        op.add_column("usage_gpus", sa.Column(name, sa.Double(), nullable=False, server_default="0"))
    for name in PEAKS:
        op.add_column("usage_gpus", sa.Column(name, sa.Double(), nullable=True))
    op.add_column("usage_gpus", sa.Column("slowed_by", sa.String(16), nullable=True))
    op.add_column("usage_gpus", sa.Column("xids", sa.String(64), nullable=False, server_default=""))
    for table in SAMPLES:
        for name in ("sm_percent", "bandwidth_percent"):
            op.add_column(table, sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    for table in SAMPLES:
        for name in ("bandwidth_percent", "sm_percent"):
            op.drop_column(table, name)
    for name in ("xids", "slowed_by", *reversed(PEAKS), *reversed(SUMS)):
        op.drop_column("usage_gpus", name)
