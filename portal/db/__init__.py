"""The database: engine, migrations, the unit of work. Each domain has its own tables and SQL."""
