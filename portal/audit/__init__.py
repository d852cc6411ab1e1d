"""The audit log: who did what, when, and with what result."""
