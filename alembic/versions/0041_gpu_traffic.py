"""Keep what sessions' GPUs sent and received over PCIe and NVLink.

Revision: 0041
Revises: 0040
"""

import sqlalchemy as sa

from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

TABLES = ("usage_samples", "usage_hours")
COLUMNS = ("pcie_mib_s", "nvlink_mib_s")


def upgrade() -> None:
    for table in TABLES:
        for name in COLUMNS:
            op.add_column(table, sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    for table in TABLES:
        for name in reversed(COLUMNS):
            op.drop_column(table, name)
