"""Monthly sums of use beside the daily ones, for reports over years.

Revision: 0014
Revises: 0013
"""

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

SUMS = ("gpu_s", "cpu_s", "gpu_known_s", "gpu_used_s", "cpu_known_s", "cpu_used_s")


def upgrade() -> None:
    op.create_table(
        "usage_months",
        sa.Column("whose_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("month", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in SUMS),
        sa.ForeignKeyConstraint(["whose_id"], ["usage_whose.id"], name=op.f("fk_usage_months_whose_id_usage_whose")),
        sa.PrimaryKeyConstraint("whose_id", "month", name=op.f("pk_usage_months")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "usage_month_waits",
        sa.Column("whose_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bucket", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("month", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["whose_id"], ["usage_whose.id"], name=op.f("fk_usage_month_waits_whose_id_usage_whose")
        ),
        sa.PrimaryKeyConstraint("whose_id", "bucket", "month", name=op.f("pk_usage_month_waits")),
        sqlite_with_rowid=False,
    )
    names = ("jobs", *SUMS)
    op.execute(
        f"INSERT INTO usage_months (whose_id, month, {', '.join(names)}) "  # noqa: S608  (names of our own columns)
        f"SELECT whose_id, day / 100, {', '.join(f'sum({name})' for name in names)} "
        "FROM usage_days GROUP BY whose_id, day / 100"
    )
    op.execute(
        "INSERT INTO usage_month_waits (whose_id, bucket, month, jobs) "
        "SELECT whose_id, bucket, day / 100, sum(jobs) FROM usage_waits GROUP BY whose_id, bucket, day / 100"
    )


def downgrade() -> None:
    op.drop_table("usage_month_waits")
    op.drop_table("usage_months")
