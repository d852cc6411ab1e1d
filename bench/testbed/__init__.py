"""The demo site under a benchmark and its load: users, sessions, open pages, counters."""
