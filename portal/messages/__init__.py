"""Messages from administrators to one user."""
