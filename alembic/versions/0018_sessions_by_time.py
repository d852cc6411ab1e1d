"""Index everybody's sessions by request time, and those that start again by themselves.

Nearly all have ended: with an index on the state, SQLite read all of them and sorted.

Revision: 0018
Revises: 0017
"""

import sqlalchemy as sa

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index(op.f("ix_sessions_state"), table_name="sessions")
    op.create_index(op.f("ix_sessions_created_at"), "sessions", ["created_at"])
    going_on = sa.text("state <> 'ended'")
    op.create_index("ix_sessions_active", "sessions", ["created_at"], sqlite_where=going_on, postgresql_where=going_on)


def downgrade() -> None:
    op.drop_index("ix_sessions_active", table_name="sessions")
    op.drop_index(op.f("ix_sessions_created_at"), table_name="sessions")
    op.create_index(op.f("ix_sessions_state"), "sessions", ["state"])
