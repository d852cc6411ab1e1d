"""`portal db`: migrates the database, backs it up, and moves it from SQLite to PostgreSQL."""
