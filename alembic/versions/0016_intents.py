"""Record requests before they are carried out: batch job submissions, keys of repeated requests, audit intents.

Revision: 0016
Revises: 0015
"""

import sqlalchemy as sa

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job_submissions",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("script", sa.Text(), nullable=False),
        sa.Column("workdir", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Column("traceable", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("job_id", sa.Integer(), nullable=True),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("owner", sa.String(255), primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("made", sa.String(64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
    )
    op.add_column("audit", sa.Column("intent_id", sa.Integer(), nullable=True))
    op.create_index("uq_audit_intent_id", "audit", ["intent_id"], unique=True)


def downgrade() -> None:
    op.drop_index("uq_audit_intent_id", "audit")
    op.drop_column("audit", "intent_id")
    op.drop_table("idempotency_keys")
    op.drop_table("job_submissions")
