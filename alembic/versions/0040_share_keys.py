"""Keep shares that open an app to whoever has a key.

Revision: 0040
Revises: 0039
"""

import sqlalchemy as sa

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("session_shares") as table:
        table.add_column(sa.Column("key_name", sa.String(80), nullable=True))
        table.add_column(sa.Column("key_digest", sa.String(64), nullable=True))
        table.create_unique_constraint("uq_session_shares_key_digest", ["key_digest"])


def downgrade() -> None:
    op.execute("DELETE FROM session_shares WHERE key_digest IS NOT NULL")
    with op.batch_alter_table("session_shares") as table:
        table.drop_constraint("uq_session_shares_key_digest", type_="unique")
        table.drop_column("key_digest")
        table.drop_column("key_name")
