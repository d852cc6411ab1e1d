"""Keep which features, licences, WCKey, shards and whole nodes a session asks for.

Revision: 0033
Revises: 0032
"""

import sqlalchemy as sa

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

COLUMNS = ("shards", "constraint", "licenses", "wckey", "exclusive")


def upgrade() -> None:
    op.add_column("sessions", sa.Column("shards", sa.Integer(), server_default="0", nullable=False))
    op.add_column("sessions", sa.Column("constraint", sa.String(600), nullable=True))
    op.add_column("sessions", sa.Column("licenses", sa.String(600), nullable=True))
    op.add_column("sessions", sa.Column("wckey", sa.String(255), nullable=True))
    op.add_column("sessions", sa.Column("exclusive", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("sessions") as table:
        for name in reversed(COLUMNS):
            table.drop_column(name)
