"""Limits that administrators set for users and groups.

Revision: 0009
Revises: 0008
"""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "limits",
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("max_gpus", sa.Integer(), nullable=True),
        sa.Column("max_sessions", sa.Integer(), nullable=True),
        sa.Column("max_walltime_s", sa.Integer(), nullable=True),
        sa.Column("max_gpu_hours", sa.Integer(), nullable=True),
        sa.Column("partitions", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("gpu_types", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("changed_by", sa.String(length=255), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name=op.f("pk_limits")),
    )


def downgrade() -> None:
    op.drop_table("limits")
