"""Samples of what sessions use, what each job was allocated, and daily sums for reports.

Revision: 0012
Revises: 0011
"""

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SUMS = ("gpu_s", "cpu_s", "gpu_known_s", "gpu_used_s", "cpu_known_s", "cpu_used_s")
KNOWN = ("gpu_known_s", "gpu_used_s", "cpu_known_s", "cpu_used_s")


def upgrade() -> None:
    _samples()
    op.create_table(
        "usage_whose",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        *(
            sa.Column(name, sa.String(length=255), nullable=False)
            for name in ("owner", "account", "partition", "gpu_type")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_usage_whose")),
        sa.UniqueConstraint(
            "owner", "account", "partition", "gpu_type", name=op.f("uq_usage_whose_owner_account_partition_gpu_type")
        ),
    )
    _jobs()
    op.create_table(
        "usage_days",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("whose_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in SUMS),
        sa.ForeignKeyConstraint(["whose_id"], ["usage_whose.id"], name=op.f("fk_usage_days_whose_id_usage_whose")),
        sa.PrimaryKeyConstraint("day", "whose_id", name=op.f("pk_usage_days")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "usage_waits",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("whose_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bucket", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["whose_id"], ["usage_whose.id"], name=op.f("fk_usage_waits_whose_id_usage_whose")),
        sa.PrimaryKeyConstraint("day", "whose_id", "bucket", name=op.f("pk_usage_waits")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "usage_sources",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("since_s", sa.BigInteger(), nullable=False),
        sa.Column("read_to_s", sa.BigInteger(), nullable=False),
        sa.Column("failing_since_s", sa.BigInteger(), nullable=True),
        sa.Column("recovered_s", sa.BigInteger(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_usage_sources")),
    )


def _samples() -> None:
    op.create_table(
        "usage_samples",
        sa.Column("session_id", sa.String(length=12), nullable=False),
        sa.Column("at_s", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("cpu_percent", sa.Integer(), nullable=True),
        sa.Column("memory_mib", sa.Integer(), nullable=True),
        sa.Column("gpus", sa.Integer(), nullable=False),
        sa.Column("gpu_percent", sa.Integer(), nullable=True),
        sa.Column("gpu_memory_mib", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("session_id", "at_s", name=op.f("pk_usage_samples")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "usage_hours",
        sa.Column("session_id", sa.String(length=12), nullable=False),
        sa.Column("at_s", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("cpu_percent", sa.Integer(), nullable=True),
        sa.Column("memory_mib", sa.Integer(), nullable=True),
        sa.Column("memory_max_mib", sa.Integer(), nullable=True),
        sa.Column("gpu_seconds", sa.Integer(), nullable=False),
        sa.Column("gpu_percent", sa.Double(), nullable=True),
        sa.Column("gpu_memory_mib", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("session_id", "at_s", name=op.f("pk_usage_hours")),
        sqlite_with_rowid=False,
    )


def _jobs() -> None:
    op.create_table(
        "usage_jobs",
        sa.Column("job_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("started_s", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ended_s", sa.BigInteger(), nullable=True),
        sa.Column("whose_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.String(length=12), nullable=True),
        sa.Column("gpus", sa.Integer(), nullable=False),
        sa.Column("cpus", sa.Integer(), nullable=False),
        sa.Column("wait_s", sa.Integer(), nullable=True),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in KNOWN),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["whose_id"], ["usage_whose.id"], name=op.f("fk_usage_jobs_whose_id_usage_whose")),
        sa.PrimaryKeyConstraint("job_id", "started_s", name=op.f("pk_usage_jobs")),
    )
    op.create_index(op.f("ix_usage_jobs_whose_id_started_s"), "usage_jobs", ["whose_id", "started_s"])
    op.create_index(
        "ix_usage_jobs_open",
        "usage_jobs",
        ["job_id"],
        sqlite_where=sa.text("NOT settled"),
        postgresql_where=sa.text("NOT settled"),
    )


def downgrade() -> None:
    for table in ("sources", "waits", "days", "jobs", "whose", "hours", "samples"):
        op.drop_table(f"usage_{table}")
