"""Sessions, from request to end: their records, their reconcilers, and the routes of agent and spawner."""
