"""The gate before sessions that share one host: the web server asks it about each request and obeys."""
