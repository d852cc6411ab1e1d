"""The demo site under a benchmark, and what is put on it: people, sessions, open pages, counters."""
