"""Allow deleting audit entries older than the limit that an audit entry itself records as pruned.

Revision: 0017
Revises: 0016
"""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

SENTENCE = "the audit is append-only"
PRUNED = "(SELECT max(target) FROM audit WHERE action = 'audit.prune' AND actor = 'portal')"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION audit_keeps_recent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            f" IF OLD.at >= coalesce(({PRUNED} || '+00')::timestamptz, '-infinity')"
            f" THEN RAISE EXCEPTION '{SENTENCE}'; END IF; RETURN OLD; END $$"
        )
        op.execute("DROP TRIGGER audit_append_only ON audit")
        op.execute(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE OR TRUNCATE ON audit"
            " FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()"
        )
        op.execute(
            "CREATE TRIGGER audit_keeps_recent BEFORE DELETE ON audit"
            " FOR EACH ROW EXECUTE FUNCTION audit_keeps_recent()"
        )
        return
    op.execute("DROP TRIGGER audit_no_delete")
    op.execute(
        f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit WHEN OLD.at >= coalesce({PRUNED}, '')"
        f" BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER audit_keeps_recent ON audit")
        op.execute("DROP FUNCTION audit_keeps_recent()")
        op.execute("DROP TRIGGER audit_append_only ON audit")
        op.execute(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit"
            " FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()"
        )
        return
    op.execute("DROP TRIGGER audit_no_delete")
    op.execute(f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END")
