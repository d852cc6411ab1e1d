"""Keep from which template or preset a session was started.

Revision: 0031
Revises: 0030
"""

import sqlalchemy as sa

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("template", sa.String(80), nullable=True))
    op.add_column("sessions", sa.Column("preset", sa.String(60), nullable=True))


def downgrade() -> None:
    op.drop_column("sessions", "preset")
    op.drop_column("sessions", "template")
