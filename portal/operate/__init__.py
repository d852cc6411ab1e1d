"""What administrators do to nodes, reservations, jobs and sessions, and the history of nodes."""
