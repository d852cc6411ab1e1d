"""Count reserved resources separately in the cluster's totals; earlier rows have none.

Revision: 0015
Revises: 0014
"""

import sqlalchemy as sa

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

NEW = ("gpus_reserved", "cpus_reserved", "memory_reserved_mib")


def upgrade() -> None:
    for name in NEW:
        op.add_column("cluster_totals", sa.Column(name, sa.Double(), nullable=False, server_default="0"))


def downgrade() -> None:
    for name in reversed(NEW):
        op.drop_column("cluster_totals", name)
