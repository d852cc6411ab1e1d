"""Sessions, their events, and the audit log.

Revision: 0001
Revises: nothing
"""

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=255), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=255), nullable=False),
        sa.Column("result", sa.String(length=64), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_action"), "audit", ["action"], unique=False)
    op.create_index(op.f("ix_audit_actor"), "audit", ["actor"], unique=False)
    op.create_index(op.f("ix_audit_at"), "audit", ["at"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("owner", sa.String(length=255), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("server_name", sa.String(length=30), nullable=False),
        sa.Column("app", sa.String(length=63), nullable=False),
        sa.Column("environment", sa.String(length=63), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("reason_code", sa.String(length=255), nullable=True),
        sa.Column("partition", sa.String(length=255), nullable=False),
        sa.Column("account", sa.String(length=255), nullable=True),
        sa.Column("qos", sa.String(length=255), nullable=True),
        sa.Column("reservation", sa.String(length=255), nullable=True),
        sa.Column("nodes", sa.Integer(), nullable=False),
        sa.Column("gpus", sa.Integer(), nullable=False),
        sa.Column("gpu_type", sa.String(length=255), nullable=True),
        sa.Column("cpus", sa.Integer(), nullable=False),
        sa.Column("memory_mib", sa.Integer(), nullable=False),
        sa.Column("walltime_s", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=True),
        sa.Column("node", sa.String(length=255), nullable=True),
        sa.Column("server_url", sa.String(length=255), nullable=True),
        sa.Column("base_url", sa.String(length=511), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hello_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stopping_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("end_code", sa.String(length=32), nullable=True),
        sa.Column("end_text", sa.Text(), nullable=True),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("agent_key_hash", sa.String(length=64), nullable=True),
        sa.Column("launch_sealed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_ended_at"), "sessions", ["ended_at"], unique=False)
    op.create_index(op.f("ix_sessions_job_id"), "sessions", ["job_id"], unique=False)
    op.create_index("ix_sessions_owner_created_at", "sessions", ["owner", "created_at"], unique=False)
    op.create_index(op.f("ix_sessions_state"), "sessions", ["state"], unique=False)
    op.create_index(
        "uq_sessions_active_server",
        "sessions",
        ["owner", "server_name"],
        unique=True,
        sqlite_where=sa.text("state <> 'ended'"),
        postgresql_where=sa.text("state <> 'ended'"),
    )

    op.create_table(
        "session_events",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("session_id", sa.String(length=12), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stage", sa.String(length=16), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_session_events_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_session_events")),
    )
    op.create_index(op.f("ix_session_events_session_id"), "session_events", ["session_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_session_events_session_id"), table_name="session_events")

    op.drop_table("session_events")
    op.drop_index(
        "uq_sessions_active_server",
        table_name="sessions",
        sqlite_where=sa.text("state <> 'ended'"),
        postgresql_where=sa.text("state <> 'ended'"),
    )
    op.drop_index(op.f("ix_sessions_state"), table_name="sessions")
    op.drop_index("ix_sessions_owner_created_at", table_name="sessions")
    op.drop_index(op.f("ix_sessions_job_id"), table_name="sessions")
    op.drop_index(op.f("ix_sessions_ended_at"), table_name="sessions")

    op.drop_table("sessions")
    op.drop_index(op.f("ix_audit_at"), table_name="audit")
    op.drop_index(op.f("ix_audit_actor"), table_name="audit")
    op.drop_index(op.f("ix_audit_action"), table_name="audit")

    op.drop_table("audit")
