"""Batch jobs.

Revision: 0005
Revises: 0004
"""

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(length=255), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("partition", sa.Text(), nullable=False),
        sa.Column("account", sa.String(length=255), nullable=False),
        sa.Column("qos", sa.String(length=255), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("reason_code", sa.String(length=255), nullable=True),
        sa.Column("nodes", sa.Integer(), nullable=False),
        sa.Column("node_list", sa.Text(), nullable=False),
        sa.Column("gpus", sa.Integer(), nullable=False),
        sa.Column("gpu_type", sa.String(length=255), nullable=True),
        sa.Column("cpus", sa.Integer(), nullable=False),
        sa.Column("memory_mib", sa.Integer(), nullable=True),
        sa.Column("walltime_s", sa.Integer(), nullable=True),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expected_start", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("signal", sa.Integer(), nullable=True),
        sa.Column("cancelled_by", sa.String(length=255), nullable=True),
        sa.Column("accounted", sa.Boolean(), nullable=False),
        sa.Column("array_total", sa.Integer(), nullable=True),
        sa.Column("array_range", sa.Text(), nullable=True),
        sa.Column("array_pending", sa.Integer(), nullable=False),
        sa.Column("array_running", sa.Integer(), nullable=False),
        sa.Column("array_done", sa.Integer(), nullable=False),
        sa.Column("array_failed", sa.Integer(), nullable=False),
        sa.Column("array_failed_tasks", sa.Text(), nullable=True),
        sa.Column("held_cpu_s", sa.Double(), nullable=True),
        sa.Column("used_cpu_s", sa.Double(), nullable=True),
        sa.Column("used_memory_mib", sa.Integer(), nullable=True),
        sa.Column("used_gpu_percent", sa.Double(), nullable=True),
        sa.Column("from_portal", sa.Boolean(), nullable=False),
        sa.Column("notify", sa.Boolean(), nullable=False),
        sa.Column("script", sa.Text(), nullable=True),
        sa.Column("workdir", sa.Text(), nullable=True),
        sa.Column("stdout", sa.Text(), nullable=True),
        sa.Column("stderr", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index("ix_jobs_ended_at", "jobs", ["ended_at"], unique=False)
    op.create_index("ix_jobs_job_id", "jobs", ["job_id"], unique=False)
    op.create_index("ix_jobs_owner_submitted_at", "jobs", ["owner", "submitted_at"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_jobs_owner_submitted_at", table_name="jobs")
    op.drop_index("ix_jobs_job_id", table_name="jobs")
    op.drop_index("ix_jobs_ended_at", table_name="jobs")

    op.drop_table("jobs")
