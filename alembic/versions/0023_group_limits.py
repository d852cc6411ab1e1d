"""Limit what all members of a group hold together.

Revision: 0023
Revises: 0022
"""

import sqlalchemy as sa

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

NAMES = ("group_max_gpus", "group_max_gpu_hours")


def upgrade() -> None:
    for name in NAMES:
        op.add_column("limits", sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    for name in NAMES:
        op.drop_column("limits", name)
