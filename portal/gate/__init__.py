"""The gate in front of sessions that share a host: the web server asks it about each request."""
