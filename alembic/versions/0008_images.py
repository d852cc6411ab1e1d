"""Images, and the keys of the registries they come from.

Revision: 0008
Revises: 0007
"""

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "images",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("owner", sa.String(length=255), nullable=False),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("size_mb", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=128), nullable=True),
        sa.Column("job_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("secret_hash", sa.String(length=64), nullable=True),
        sa.Column("agent_key_hash", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_images")),
    )
    op.create_index(op.f("ix_images_owner"), "images", ["owner"], unique=False)
    op.create_index(op.f("ix_images_state"), "images", ["state"], unique=False)
    op.create_table(
        "registry_keys",
        sa.Column("owner", sa.String(length=255), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("owner", name=op.f("pk_registry_keys")),
    )


def downgrade() -> None:
    op.drop_table("registry_keys")
    op.drop_index(op.f("ix_images_state"), table_name="images")
    op.drop_index(op.f("ix_images_owner"), table_name="images")
    op.drop_table("images")
